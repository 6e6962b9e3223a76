/* Forward: bounds of a node from those of its operands. Included per width: see rows.h. */

static inline const Side *
operand_a (const RspBounds *b, const Node *node, int p)
{
  return &b->nodes[node->a].side[p];
}

/* The side of the second operand that side p of the node needs. */
static inline const Side *
operand_b (const RspBounds *b, const Node *node, int p)
{
  return &b->nodes[node->b].side[node->op == RSP_NODE_DIFF ? 1 - p : p];
}

/* out = union of b's rows over the bits of a's row x. */
static void
compose_row (const RspBounds *b, const guint64 *a_row, const Side *second, guint64 *out)
{
  row_clear (b, out);
  for (all_in (b, y, a_row))
    row_join (b, out, row_of (b, second->bits, y));
}

/* out = all that is reached from x by one step or more. */
static void
reach_row (const RspBounds *b, const Side *step, guint x, guint64 *out)
{
  ROW_BUFFER (b, todo);
  row_copy (b, out, row_of (b, step->bits, x));
  row_copy (b, todo, out);
  for (guint y = rsp_next_bit (todo, WORDS (b), 0); y != G_MAXUINT;
       y = rsp_next_bit (todo, WORDS (b), 0))
    {
      todo[y / 64] &= ~(G_GUINT64_CONSTANT (1) << (y % 64));
      const guint64 *next = row_of (b, step->bits, y);
      for_words (b, w)
      {
        todo[w] |= next[w] & ~out[w];
        out[w] |= next[w];
      }
    }
}

/* out = row x of side p, from scratch. */
static void
compute_row (const RspBounds *b, const Node *node, int p, guint x, guint64 *out)
{
  const Side *first = operand_a (b, node, p);
  const guint64 *a = row_of (b, first->bits, node->op == RSP_NODE_PRODUCT ? 0 : x);
  switch (node->op)
    {
    case RSP_NODE_UNION:
    case RSP_NODE_INTER:
    case RSP_NODE_DIFF:
      {
        const guint64 *c = row_of (b, operand_b (b, node, p)->bits, x);
        for_words (b, w) out[w] = node->op == RSP_NODE_UNION   ? a[w] | c[w]
                                  : node->op == RSP_NODE_INTER ? a[w] & c[w]
                                                               : a[w] & ~c[w];
        break;
      }
    case RSP_NODE_SEQ:
      compose_row (b, a, operand_b (b, node, p), out);
      break;
    case RSP_NODE_PLUS:
      reach_row (b, first, x, out);
      break;
    case RSP_NODE_PRODUCT:
      row_clear (b, out);
      if (row_has (a, x))
        row_copy (b, out, operand_b (b, node, p)->bits);
      break;
    case RSP_NODE_IDENTITY:
      row_clear (b, out);
      if (row_has (first->bits, x))
        row_add (out, x);
      break;
    case RSP_NODE_INVERSE:
      row_clear (b, out);
      for (guint y = 0; y < b->n; y++)
        if (row_has (row_of (b, first->bits, y), x))
          row_add (out, y);
      break;
    case RSP_NODE_DOMAIN:
      row_clear (b, out);
      for (guint y = 0; y < b->n; y++)
        if (!row_empty (b, row_of (b, first->bits, y)))
          row_add (out, y);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
recompute_rows (RspBounds *b, Node *node, int p, const guint64 *rows)
{
  ROW_BUFFER (b, value);
  for (all_in (b, x, rows))
    {
      compute_row (b, node, p, x, value);
      set_row (b, &node->side[p], x, value);
    }
}

static void
recompute_all (RspBounds *b, Node *node, int p)
{
  ROW_BUFFER (b, value);
  for (guint x = 0; x < node->rows; x++)
    {
      compute_row (b, node, p, x, value);
      set_row (b, &node->side[p], x, value);
    }
}

/* ---- Incremental refreshes ---- */

static void
refresh_pointwise (RspBounds *b, Node *node, int p)
{
  ROW_BUFFER (b, rows);
  const Side *first = operand_a (b, node, p), *second = operand_b (b, node, p);
  for_words (b, w) rows[w] = first->changed[w] | second->changed[w];
  recompute_rows (b, node, p, rows);
}

/* A grown composition gains, per row, what the new pairs on either side bring. */
static void
grow_compose (RspBounds *b, Node *node)
{
  const Side *first = operand_a (b, node, LO), *second = operand_b (b, node, LO);
  Side *side = &node->side[LO];
  ROW_BUFFER (b, value);
  for (guint x = 0; x < b->n; x++)
    {
      gboolean changed = row_has (first->changed, x);
      const guint64 *a = row_of (b, first->bits, x);
      if (!changed && !(second->touched && rows_meet (b, a, second->changed)))
        continue;
      row_copy (b, value, row_of (b, side->bits, x));
      if (changed)
        for (all_in (b, y, row_of (b, first->delta, x)))
          row_join (b, value, row_of (b, second->bits, y));
      if (second->touched)
        {
          ROW_BUFFER (b, through);
          for_words (b, w) through[w] = a[w] & second->changed[w];
          for (all_in (b, y, through))
            row_join (b, value, row_of (b, second->delta, y));
        }
      set_row (b, side, x, value);
    }
}

static void
shrink_compose (RspBounds *b, Node *node)
{
  const Side *first = operand_a (b, node, HI), *second = operand_b (b, node, HI);
  ROW_BUFFER (b, value);
  for (guint x = 0; x < b->n; x++)
    {
      const guint64 *a = row_of (b, first->bits, x);
      if (!row_has (first->changed, x) && !(second->touched && rows_meet (b, a, second->changed)))
        continue;
      compose_row (b, a, second, value);
      set_row (b, &node->side[HI], x, value);
    }
}

static void
refresh_inverse (RspBounds *b, Node *node, int p)
{
  const Side *first = operand_a (b, node, p);
  Side *side = &node->side[p];
  ROW_BUFFER (b, value);
  for (all_in (b, x, first->changed))
    for (all_in (b, y, row_of (b, first->delta, x)))
      {
        row_copy (b, value, row_of (b, side->bits, y));
        value[x / 64] ^= G_GUINT64_CONSTANT (1) << (x % 64);
        set_row (b, side, y, value);
      }
}

/* A grown closure: each new step u → v not reached before joins all that reach u to all v reaches.
 */
static void
grow_closure (RspBounds *b, Node *node)
{
  const Side *first = operand_a (b, node, LO);
  Side *side = &node->side[LO];
  ROW_BUFFER (b, gain);
  ROW_BUFFER (b, value);
  for (all_in (b, u, first->changed))
    for (all_in (b, v, row_of (b, first->delta, u)))
      {
        if (row_has (row_of (b, side->bits, u), v))
          continue;
        row_copy (b, gain, row_of (b, side->bits, v));
        row_add (gain, v);
        for (guint x = 0; x < b->n; x++)
          {
            const guint64 *row = row_of (b, side->bits, x);
            if (x != u && !row_has (row, u))
              continue;
            row_copy (b, value, row);
            row_join (b, value, gain);
            set_row (b, side, x, value);
          }
      }
}

/* A shrunk closure: rows that step from a changed row, or reached one, are searched again. */
static void
shrink_closure (RspBounds *b, Node *node)
{
  const Side *first = operand_a (b, node, HI);
  Side *side = &node->side[HI];
  ROW_BUFFER (b, value);
  for (guint x = 0; x < b->n; x++)
    if (row_has (first->changed, x) || rows_meet (b, row_of (b, side->bits, x), first->changed))
      {
        reach_row (b, first, x, value);
        set_row (b, side, x, value);
      }
}

/* A recursive group has its bounds anew; set_row finds what changed. */
static void
refresh_group (RspBounds *b, Group *group)
{
  for (int p = LO; p <= HI; p++)
    {
      rsp_bounds_iterate_group (b, group, p);
      for (guint i = 0; i < group->fix->n; i++)
        {
          if (group->members[i] == G_MAXUINT)
            continue;
          Node *member = &b->nodes[group->members[i]];
          const RspMatrix *value = rsp_bounds_group_value (b, group, i);
          for (guint x = 0; x < member->rows; x++)
            set_row (b, &member->side[p], x, rsp_matrix_row (value, x));
        }
    }
}

static gboolean
group_touched (const RspBounds *b, const Group *group)
{
  for (guint i = 0; i < group->n_inputs; i++)
    if (b->nodes[group->inputs[i]].side[LO].touched || b->nodes[group->inputs[i]].side[HI].touched)
      return TRUE;
  return FALSE;
}

static void
refresh_side (RspBounds *b, Node *node, int p)
{
  const Side *first = operand_a (b, node, p);
  switch (node->op)
    {
    case RSP_NODE_UNION:
    case RSP_NODE_INTER:
    case RSP_NODE_DIFF:
      if (first->touched || operand_b (b, node, p)->touched)
        refresh_pointwise (b, node, p);
      break;
    case RSP_NODE_SEQ:
      if (first->touched || operand_b (b, node, p)->touched)
        (p == LO ? grow_compose : shrink_compose) (b, node);
      break;
    case RSP_NODE_INVERSE:
      if (first->touched)
        refresh_inverse (b, node, p);
      break;
    case RSP_NODE_PLUS:
      if (first->touched)
        (p == LO ? grow_closure : shrink_closure) (b, node);
      break;
    case RSP_NODE_PRODUCT:
      if (first->touched || operand_b (b, node, p)->touched)
        recompute_all (b, node, p);
      break;
    default: /* IDENTITY, DOMAIN */
      if (first->touched)
        recompute_all (b, node, p);
    }
}

static void
refresh (RspBounds *b, Node *node)
{
  if (node->op == RSP_NODE_FIX)
    {
      Group *group = &b->groups[node->group];
      if (node == &b->nodes[group->first] && group_touched (b, group))
        refresh_group (b, group);
      return;
    }
  refresh_side (b, node, LO);
  refresh_side (b, node, HI);
}

static void
evaluate (RspBounds *b, Node *node)
{
  if (node->op == RSP_NODE_FIX)
    {
      Group *group = &b->groups[node->group];
      if (node == &b->nodes[group->first])
        refresh_group (b, group);
      return;
    }
  recompute_all (b, node, LO);
  recompute_all (b, node, HI);
}

static void
set_bit (RspBounds *b, Node *node, int p, guint row, guint bit, gboolean value)
{
  ROW_BUFFER (b, new_row);
  row_copy (b, new_row, row_of (b, node->side[p].bits, row));
  guint64 mask = G_GUINT64_CONSTANT (1) << (bit % 64);
  if (value)
    new_row[bit / 64] |= mask;
  else
    new_row[bit / 64] &= ~mask;
  set_row (b, &node->side[p], row, new_row);
}

/* Deltas have been seen by all who needed them, or are void. */
static void
forget (RspBounds *b)
{
  for (guint i = 0; i < b->n_nodes; i++)
    for (int p = LO; p <= HI; p++)
      {
        Side *side = &b->nodes[i].side[p];
        if (!side->touched)
          continue;
        for (all_in (b, x, side->changed))
          row_clear (b, row_of (b, side->delta, x));
        row_clear (b, side->changed);
        side->touched = FALSE;
      }
}

static void
undo (RspBounds *b, guint to)
{
  while (b->trail->len > to)
    {
      guint at = b->trail->len - WORDS (b) - 1;
      const guint64 *saved = &g_array_index (b->trail, guint64, at);
      row_copy (b, (guint64 *) (guintptr) saved[WORDS (b)], saved);
      g_array_set_size (b->trail, at);
    }
}

static RspTruth
truth (const RspBounds *b, const CheckState *check)
{
  const Node *node = &b->nodes[check->node];
  gboolean possible = FALSE, certain = FALSE; /* a pair that breaks emptiness or irreflexivity */
  for (guint x = 0; x < node->rows && !certain; x++)
    {
      const guint64 *lo = row_of (b, node->side[LO].bits, x);
      const guint64 *hi = row_of (b, node->side[HI].bits, x);
      certain = check->diagonal ? row_has (lo, x) : !row_empty (b, lo);
      possible |= check->diagonal ? row_has (hi, x) : !row_empty (b, hi);
    }
  if (!certain && possible)
    return RSP_OPEN;
  return certain == check->check->negated ? RSP_HOLDS : RSP_FAILS;
}
