/* Backwards: what open plain checks forbid and require of the base relations. Included per width.
 *
 * forbidden and required stay within a node's undecided bits; they are cleared as they are passed
 * on. */

/* Adds the undecided ones of these bits to row x of `rows`, the node's forbidden or required ones.
 * TRUE when there are any. */
static gboolean
add_open (const RspBounds *b, const Node *node, guint64 *rows, guint x, const guint64 *bits)
{
  const guint64 *lo = row_of (b, node->side[LO].bits, x), *hi = row_of (b, node->side[HI].bits, x);
  guint64 *row = row_of (b, rows, x);
  guint64 any = 0;
  for_words (b, w)
  {
    guint64 more = bits[w] & hi[w] & ~lo[w];
    row[w] |= more;
    any |= more;
  }
  (void) b;
  return any != 0;
}

static void
forbid_row (RspBounds *b, guint node_index, guint x, const guint64 *bits)
{
  Node *node = &b->nodes[node_index];
  if (node->dynamic)
    node->has_forbidden |= add_open (b, node, node->forbidden, x, bits);
}

static void
require_row (RspBounds *b, guint node_index, guint x, const guint64 *bits)
{
  Node *node = &b->nodes[node_index];
  if (node->dynamic)
    node->has_required |= add_open (b, node, node->required, x, bits);
}

static void
forbid_bit (RspBounds *b, guint node, guint x, guint y)
{
  ROW_BUFFER (b, bits);
  row_clear (b, bits);
  row_add (bits, y);
  forbid_row (b, node, x, bits);
}

static void
require_bit (RspBounds *b, guint node, guint x, guint y)
{
  ROW_BUFFER (b, bits);
  row_clear (b, bits);
  row_add (bits, y);
  require_row (b, node, x, bits);
}

static void
forbid_pointwise (RspBounds *b, const Node *node, guint x, const guint64 *row)
{
  const Node *first = &b->nodes[node->a], *second = &b->nodes[node->b];
  ROW_BUFFER (b, bits);
  if (node->op == RSP_NODE_UNION)
    {
      forbid_row (b, node->a, x, row);
      forbid_row (b, node->b, x, row);
      return;
    }
  const guint64 *a_lo = row_of (b, first->side[LO].bits, x);
  if (node->op == RSP_NODE_INTER)
    {
      const guint64 *b_lo = row_of (b, second->side[LO].bits, x);
      for_words (b, w) bits[w] = row[w] & b_lo[w];
      forbid_row (b, node->a, x, bits);
      for_words (b, w) bits[w] = row[w] & a_lo[w];
      forbid_row (b, node->b, x, bits);
      return;
    }
  const guint64 *b_hi = row_of (b, second->side[HI].bits, x);
  for_words (b, w) bits[w] = row[w] & ~b_hi[w];
  forbid_row (b, node->a, x, bits);
  for_words (b, w) bits[w] = row[w] & a_lo[w];
  require_row (b, node->b, x, bits);
}

static void
forbid_compose (RspBounds *b, const Node *node, guint x, const guint64 *row)
{
  const Node *first = &b->nodes[node->a], *second = &b->nodes[node->b];
  ROW_BUFFER (b, open);
  if (first->dynamic)
    {
      row_open (b, first, x, open);
      for (all_in (b, y, open))
        if (rows_meet (b, row_of (b, second->side[LO].bits, y), row))
          forbid_bit (b, node->a, x, y);
    }
  if (second->dynamic)
    for (all_in (b, y, row_of (b, first->side[LO].bits, x)))
      forbid_row (b, node->b, y, row);
}

/* A step u → v is forbidden when a known way leads from x to u and from v to z for a forbidden (x,
 * z). */
static void
forbid_closure (RspBounds *b, const Node *node)
{
  const Node *step = &b->nodes[node->a];
  if (!step->dynamic)
    return;
  guint64 *from = b->table; /* row u: the z forbidden for some x that is u or is known to reach u */
  memset (from, 0, sizeof (guint64) * b->n * WORDS (b));
  for (guint x = 0; x < b->n; x++)
    {
      const guint64 *row = row_of (b, node->forbidden, x);
      if (row_empty (b, row))
        continue;
      row_join (b, row_of (b, from, x), row);
      for (all_in (b, u, row_of (b, node->side[LO].bits, x)))
        row_join (b, row_of (b, from, u), row);
    }
  ROW_BUFFER (b, open);
  for (guint u = 0; u < b->n; u++)
    {
      const guint64 *targets = row_of (b, from, u);
      if (row_empty (b, targets))
        continue;
      row_open (b, step, u, open);
      for (all_in (b, v, open))
        if (row_has (targets, v) || rows_meet (b, targets, row_of (b, node->side[LO].bits, v)))
          forbid_bit (b, node->a, u, v);
    }
}

static void
forbid_other (RspBounds *b, const Node *node, guint x, const guint64 *row)
{
  const Node *first = &b->nodes[node->a];
  switch (node->op)
    {
    case RSP_NODE_INVERSE:
      for (all_in (b, y, row))
        forbid_bit (b, node->a, y, x);
      break;
    case RSP_NODE_IDENTITY:
      forbid_bit (b, node->a, 0, x);
      break;
    case RSP_NODE_DOMAIN: /* row is a set: of each event in it, no pair may leave */
      for (all_in (b, y, row))
        {
          ROW_BUFFER (b, open);
          row_open (b, first, y, open);
          forbid_row (b, node->a, y, open);
        }
      break;
    case RSP_NODE_PRODUCT:
      if (row_has (first->side[LO].bits, x))
        forbid_row (b, node->b, 0, row);
      if (rows_meet (b, row, b->nodes[node->b].side[LO].bits))
        forbid_bit (b, node->a, 0, x);
      break;
    default:
      break;
    }
}

static void
pass_forbidden (RspBounds *b, Node *node)
{
  if (node->op == RSP_NODE_PLUS)
    forbid_closure (b, node);
  for (guint x = 0; x < node->rows; x++)
    {
      guint64 *row = row_of (b, node->forbidden, x);
      if (row_empty (b, row))
        continue;
      if (node->op == RSP_NODE_SEQ)
        forbid_compose (b, node, x, row);
      else if (node->op <= RSP_NODE_DIFF && node->op >= RSP_NODE_UNION)
        forbid_pointwise (b, node, x, row);
      else
        forbid_other (b, node, x, row);
      row_clear (b, row);
    }
  node->has_forbidden = FALSE;
}

/* The one way left to make a required pair of a composition. */
static void
require_compose (RspBounds *b, const Node *node, guint x, guint z)
{
  guint middle = G_MAXUINT;
  for (all_in (b, y, row_of (b, b->nodes[node->a].side[HI].bits, x)))
    if (row_has (row_of (b, b->nodes[node->b].side[HI].bits, y), z))
      {
        if (middle != G_MAXUINT)
          return;
        middle = y;
      }
  if (middle == G_MAXUINT)
    return;
  require_bit (b, node->a, x, middle);
  require_bit (b, node->b, middle, z);
}

static void
require_pointwise (RspBounds *b, const Node *node, guint x, const guint64 *row)
{
  ROW_BUFFER (b, bits);
  const guint64 *a_hi = row_of (b, b->nodes[node->a].side[HI].bits, x);
  const guint64 *b_hi = row_of (b, b->nodes[node->b].side[HI].bits, x);
  if (node->op != RSP_NODE_UNION)
    {
      require_row (b, node->a, x, row);
      (node->op == RSP_NODE_DIFF ? forbid_row : require_row) (b, node->b, x, row);
      return;
    }
  for_words (b, w) bits[w] = row[w] & ~b_hi[w];
  require_row (b, node->a, x, bits);
  for_words (b, w) bits[w] = row[w] & ~a_hi[w];
  require_row (b, node->b, x, bits);
}

static void
pass_required (RspBounds *b, Node *node)
{
  for (guint x = 0; x < node->rows; x++)
    {
      guint64 *row = row_of (b, node->required, x);
      if (row_empty (b, row))
        continue;
      switch (node->op)
        {
        case RSP_NODE_UNION:
        case RSP_NODE_INTER:
        case RSP_NODE_DIFF:
          require_pointwise (b, node, x, row);
          break;
        case RSP_NODE_SEQ:
          for (all_in (b, z, row))
            require_compose (b, node, x, z);
          break;
        case RSP_NODE_INVERSE:
          for (all_in (b, y, row))
            require_bit (b, node->a, y, x);
          break;
        case RSP_NODE_IDENTITY:
          require_bit (b, node->a, 0, x);
          break;
        default: /* several ways to make it, or none known */
          break;
        }
      row_clear (b, row);
    }
  node->has_required = FALSE;
}

/* A leaf hands over what arrived, as pairs of the base relation (not its inverse). */
static void
emit_forced (RspBounds *b, Node *node, GArray *forced)
{
  gboolean inverse = node->leaf & 1;
  for (int required = 0; required <= 1; required++)
    {
      guint64 *bits = required ? node->required : node->forbidden;
      if (!(required ? node->has_required : node->has_forbidden))
        continue;
      for (guint x = 0; x < b->n; x++)
        {
          for (all_in (b, y, row_of (b, bits, x)))
            {
              RspForced pair = { .leaf = node->leaf / 2,
                                 .a = inverse ? y : x,
                                 .b = inverse ? x : y,
                                 .required = required };
              g_array_append_val (forced, pair);
            }
          row_clear (b, row_of (b, bits, x));
        }
    }
  node->has_forbidden = node->has_required = FALSE;
}

/* Starts from an open plain check: all its undecided pairs (those on the diagonal) are forbidden,
 * or of a negated check the only one left is required. */
static void
start_check (RspBounds *b, const CheckState *check)
{
  Node *node = &b->nodes[check->node];
  ROW_BUFFER (b, open);
  guint n = 0, last_x = 0, last_y = 0;
  for (guint x = 0; x < node->rows; x++)
    {
      row_open (b, node, x, open);
      if (check->diagonal)
        {
          gboolean loop = row_has (open, x);
          row_clear (b, open);
          if (loop)
            row_add (open, x);
        }
      if (!check->check->negated)
        forbid_row (b, check->node, x, open);
      else
        for (all_in (b, y, open))
          {
            n++;
            last_x = x;
            last_y = y;
          }
    }
  if (check->check->negated && n == 1)
    require_bit (b, check->node, last_x, last_y);
}

static void
force (RspBounds *b, GArray *forced)
{
  for (guint i = 0; i < b->n_checks; i++)
    {
      const CheckState *check = &b->checks[i];
      if (check->check->role == RSP_CAT_REQUIRE_CONSISTENT && check->truth == RSP_OPEN)
        start_check (b, check);
    }
  for (guint i = b->n_nodes; i-- > 0;)
    {
      Node *node = &b->nodes[i];
      if (!node->has_forbidden && !node->has_required)
        continue;
      if (node->op == NODE_LEAF)
        {
          emit_forced (b, node, forced);
          continue;
        }
      if (node->has_forbidden)
        pass_forbidden (b, node);
      if (node->has_required)
        pass_required (b, node);
    }
}
