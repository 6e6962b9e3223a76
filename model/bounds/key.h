/* Keys: what the open checks can still tell apart. Included per width.
 *
 * A key must determine, as functions of the undecided pairs of the base relations, the undecided
 * pairs that the open checks look at. Walking down from a check, `demand` is a set D of a node's
 * undecided pairs whose functions must be determined. By induction it is enough to record, for each
 * operator, the operands' bits that these functions mention, split into known (in lo) and
 * undecided, and to demand the undecided ones in turn:
 *
 *   a | b    (x,z) in D:  the bit in a, in b (neither is in lo, or the pair would be decided)
 *   a & b, a \ b          likewise; the known ones say which operand decides
 *   a ; b    (x,z) in D:  for each middle y with a+(x,y) and b+(y,z) both bits. A term x,y,z
 * matters iff both were recorded, so what is not recorded needs no telling apart. a+       (x,z) in
 * D:  E = the undecided steps (u,v) with x →* u and v →* z possible. A way from x to z alternates
 * known stretches and steps of E (at least one), so E and the known reachability from {x} ∪ targets
 * of E to sources of E ∪ {z} determine it. a^-1, [a], a*b, domain(a): the same bits, moved.
 *   recursive groups: every bound of every input.
 *
 * At the leaves, the undecided pairs are the free variables; the search adds what it knows of them.
 * demanded pairs are kept in Node.forbidden (undecided) and Node.required (known) while walking. */

static void
demand_row (RspBounds *b, guint node_index, guint x, const guint64 *bits)
{
  Node *node = &b->nodes[node_index];
  if (!node->dynamic)
    return;
  const guint64 *lo = row_of (b, node->side[LO].bits, x), *hi = row_of (b, node->side[HI].bits, x);
  guint64 *open = row_of (b, node->forbidden, x), *known = row_of (b, node->required, x);
  for_words (b, w)
  {
    known[w] |= bits[w] & lo[w];
    open[w] |= bits[w] & hi[w] & ~lo[w];
  }
  node->has_forbidden = TRUE;
}

static void
demand_bit (RspBounds *b, guint node, guint x, guint y)
{
  ROW_BUFFER (b, bits);
  row_clear (b, bits);
  row_add (bits, y);
  demand_row (b, node, x, bits);
}

static void
demand_compose (RspBounds *b, const Node *node, guint x, const guint64 *row)
{
  const Node *first = &b->nodes[node->a], *second = &b->nodes[node->b];
  ROW_BUFFER (b, through);
  ROW_BUFFER (b, bits);
  row_clear (b, through);
  for (all_in (b, y, row_of (b, first->side[HI].bits, x)))
    {
      const guint64 *next = row_of (b, second->side[HI].bits, y);
      if (!rows_meet (b, next, row))
        continue;
      row_add (through, y);
      for_words (b, w) bits[w] = next[w] & row[w];
      demand_row (b, node->b, y, bits);
    }
  demand_row (b, node->a, x, through);
}

static void
key_row (RspBounds *b, GArray *key, guint tag, const guint64 *row)
{
  guint64 head = tag;
  g_array_append_val (key, head);
  g_array_append_vals (key, row, WORDS (b));
  (void) b;
}

static void
demand_closure (RspBounds *b, Node *node, GArray *key)
{
  const Node *step = &b->nodes[node->a];
  guint64 *goals = b->table; /* row u: the z demanded for some x that is u or may reach u */
  memset (goals, 0, sizeof (guint64) * b->n * WORDS (b));
  ROW_BUFFER (b, ins);  /* the x, and targets of E */
  ROW_BUFFER (b, outs); /* the z, and sources of E */
  ROW_BUFFER (b, open);
  ROW_BUFFER (b, bits);
  row_clear (b, ins);
  row_clear (b, outs);
  for (guint x = 0; x < b->n; x++)
    {
      const guint64 *row = row_of (b, node->forbidden, x);
      if (row_empty (b, row))
        continue;
      row_add (ins, x);
      row_join (b, outs, row);
      row_join (b, row_of (b, goals, x), row);
      for (all_in (b, u, row_of (b, node->side[HI].bits, x)))
        row_join (b, row_of (b, goals, u), row);
    }
  for (guint u = 0; u < b->n && step->dynamic; u++)
    {
      const guint64 *targets = row_of (b, goals, u);
      if (row_empty (b, targets))
        continue;
      row_open (b, step, u, open);
      row_clear (b, bits);
      for (all_in (b, v, open))
        if (row_has (targets, v) || rows_meet (b, targets, row_of (b, node->side[HI].bits, v)))
          row_add (bits, v);
      if (row_empty (b, bits))
        continue;
      row_add (outs, u);
      row_join (b, ins, bits);
      demand_row (b, node->a, u, bits);
    }
  guint64 head = G_GUINT64_CONSTANT (3) << 32;
  g_array_append_val (key, head);
  for (all_in (b, v, ins))
    {
      const guint64 *reached = row_of (b, node->side[LO].bits, v);
      for_words (b, w) bits[w] = reached[w] & outs[w];
      if (!row_empty (b, bits))
        key_row (b, key, v, bits);
    }
}

static void
demand_operands (RspBounds *b, Node *node, guint x, const guint64 *row)
{
  const Node *first = &b->nodes[node->a];
  switch (node->op)
    {
    case RSP_NODE_UNION:
    case RSP_NODE_INTER:
    case RSP_NODE_DIFF:
      demand_row (b, node->a, x, row);
      demand_row (b, node->b, x, row);
      break;
    case RSP_NODE_SEQ:
      demand_compose (b, node, x, row);
      break;
    case RSP_NODE_INVERSE:
      for (all_in (b, y, row))
        demand_bit (b, node->a, y, x);
      break;
    case RSP_NODE_IDENTITY:
      demand_bit (b, node->a, 0, x);
      break;
    case RSP_NODE_PRODUCT:
      demand_bit (b, node->a, 0, x);
      demand_row (b, node->b, 0, row);
      break;
    case RSP_NODE_DOMAIN:
      for (all_in (b, y, row))
        demand_row (b, node->a, y, row_of (b, first->side[HI].bits, y));
      break;
    default:
      break;
    }
}

static void
demand_group (RspBounds *b, const Group *group)
{
  for (guint i = 0; i < group->n_inputs; i++)
    {
      const Node *input = &b->nodes[group->inputs[i]];
      for (guint x = 0; x < input->rows; x++)
        demand_row (b, group->inputs[i], x, row_of (b, input->side[HI].bits, x));
    }
}

/* Records a node's demanded bits and passes the undecided ones on. */
static void
key_node (RspBounds *b, guint index, GArray *key)
{
  Node *node = &b->nodes[index];
  guint64 head = G_GUINT64_CONSTANT (1) << 32 | index;
  g_array_append_val (key, head);
  gboolean any = FALSE;
  for (guint x = 0; x < node->rows; x++)
    {
      const guint64 *open = row_of (b, node->forbidden, x);
      const guint64 *known = row_of (b, node->required, x);
      if (!row_empty (b, open))
        key_row (b, key, 2 * x, open);
      if (!row_empty (b, known))
        key_row (b, key, 2 * x + 1, known);
      any |= !row_empty (b, open);
    }
  if (any && node->op == RSP_NODE_PLUS)
    demand_closure (b, node, key);
  else if (any && node->op == RSP_NODE_FIX)
    demand_group (b, &b->groups[node->group]);
  for (guint x = 0; x < node->rows; x++)
    {
      guint64 *open = row_of (b, node->forbidden, x);
      if (node->op != RSP_NODE_PLUS && node->op != RSP_NODE_FIX && node->op != NODE_LEAF
          && !row_empty (b, open))
        demand_operands (b, node, x, open);
      row_clear (b, open);
      row_clear (b, row_of (b, node->required, x));
    }
  node->has_forbidden = FALSE;
}

static void
key_check (RspBounds *b, guint index, GArray *key)
{
  const CheckState *check = &b->checks[index];
  const Node *node = &b->nodes[check->node];
  guint64 head = G_GUINT64_CONSTANT (2) << 32 | index;
  g_array_append_val (key, head);
  ROW_BUFFER (b, open);
  for (guint x = 0; x < node->rows; x++)
    {
      row_open (b, node, x, open);
      if (check->diagonal && row_has (open, x))
        demand_bit (b, check->node, x, x);
      else if (!check->diagonal)
        demand_row (b, check->node, x, open);
    }
}

static void
key (RspBounds *b, GArray *out)
{
  for (guint i = 0; i < b->n_checks; i++)
    if (b->checks[i].truth == RSP_OPEN && !b->checks[i].dropped)
      key_check (b, i, out);
  for (guint i = b->n_nodes; i-- > 0;)
    if (b->nodes[i].has_forbidden)
      key_node (b, i, out);
}
