/* Comments in a module say what is asked of it: `; @Input: %x = {0, {1, 2}}` gives initial values,
 * `; @Output: forall (%x[0] == 1 and …)` is about memory at the end, `; @Filter: …` selects
 * executions, and `; @Config: A, B, C` is a grid of C work-groups of B sub-groups of A. */
#include "extra/spirv/internal.h"

#include <errno.h>
#include <string.h>

enum { MOST_DEPTH = 50 };

typedef struct Reader {
  SpirvFront *front;
  const char *text; /* of the module */
  guint at, end;
  guint depth;
  RspDiagnostics *diagnostics;
  gboolean failed;
} Reader;

/* ---- Words ---------------------------------------------------------------------------------- */

static void skip (Reader *r) {
  while (r->at < r->end && g_ascii_isspace (r->text[r->at]))
    r->at++;
}

static RspSpan span_from (const Reader *r, guint begin) {
  return (RspSpan){ r->front->module->source, begin, MAX (r->at, begin + 1) };
}

static void fail (Reader *r, const char *expected) {
  const guint at = MIN (r->at, r->end), n = (guint) strcspn (r->text + at, " \t\r\n,(){}[]");
  const RspSpan span = { r->front->module->source, at, at + MAX (n, 1) };
  if (!r->failed)
    rsp_error (r->diagnostics, span, NULL, "expected %s", expected);
  r->failed = TRUE;
}

/* Takes the word if it comes next. */
static gboolean take (Reader *r, const char *word) {
  skip (r);
  const gsize n = strlen (word);
  if (r->at + n > r->end || strncmp (r->text + r->at, word, n) != 0
      || (g_ascii_isalpha (*word) && g_ascii_isalnum (r->text[r->at + n])))
    return FALSE;
  r->at += (guint) n;
  return TRUE;
}

static void demand (Reader *r, const char *word) {
  g_autofree char *expected = g_strdup_printf ("`%s`", word);
  if (!take (r, word))
    fail (r, expected);
}

static gint64 number (Reader *r) {
  skip (r);
  char *end = NULL;
  const char *begin = r->text + r->at;
  const gboolean negative = *begin == '-';
  if (r->at >= r->end || !g_ascii_isdigit (begin[negative])) {
    fail (r, "a number");
    return 0;
  }
  errno = 0;
  const guint64 size = g_ascii_strtoull (begin + negative, &end, 0);
  if (errno)
    fail (r, "a number of 64 bits");
  r->at += (guint) (end - begin);
  return negative ? (gint64) -size : (gint64) size;
}

/* Is it a variable of the module, or a parameter of an entry? */
static gboolean is_argument (const SpirvModule *module, guint32 id) {
  const SpirvInst *at = spirv_definition (module, id);
  guint i = module->definitions[id];
  if (!i || at->opcode != SpvOpFunctionParameter)
    return at->opcode == SpvOpVariable && i <= module->n_outside;
  while (i > 1 && module->instructions[i - 1].opcode == SpvOpFunctionParameter)
    i--;
  return spirv_entry (module, module->instructions[i - 1].result, NULL) != NULL;
}

/* The id of `%name`: of an argument if there is one, whose name may be that of a parameter in
 * assembly, too. 0, with an error: there is none. */
static guint32 identifier (Reader *r) {
  const SpirvModule *module = r->front->module;
  skip (r);
  const guint begin = r->at;
  if (r->at < r->end && r->text[r->at] == '%')
    r->at++;
  while (r->at < r->end && (g_ascii_isalnum (r->text[r->at]) || r->text[r->at] == '_'))
    r->at++;
  const gsize n = r->at - begin;
  guint32 best = 0;
  guint most = 0;
  for (guint32 id = 1; id < module->bound && n > 1; id++) {
    const char *written = module->written[id], *named = module->names[id];
    const gboolean is_written = strlen (written) == n && memcmp (written, r->text + begin, n) == 0,
                   is_named
                   = strlen (named) == n - 1 && memcmp (named, r->text + begin + 1, n - 1) == 0;
    if (!is_written && !is_named)
      continue;
    const guint rank = 1 + is_written + 2 * is_argument (module, id);
    best = rank > most ? id : best;
    most = MAX (most, rank);
  }
  if (best)
    return best;
  if (!r->failed)
    rsp_error (r->diagnostics, span_from (r, begin), NULL,
               "found `%.*s`, which the module does not define", (int) n, r->text + begin);
  r->failed = TRUE;
  return 0;
}

/* ---- Inputs --------------------------------------------------------------------------------- */

static SpirvInput *read_value (Reader *r) {
  LitmusParser parser = { .arena = r->front->module->arena };
  SpirvInput *own = rsp_arena_new0 (parser.arena, SpirvInput, 1);
  if (!take (r, "{")) {
    own->number = take (r, "true");
    if (!own->number && !take (r, "false"))
      own->number = number (r);
    return own;
  }
  if (++r->depth > MOST_DEPTH)
    fail (r, "fewer nested lists");
  for (gboolean more = !r->failed; more; more = !r->failed && take (r, ","))
    own->items = rsp_litmus_append (&parser, own->items, read_value (r));
  r->depth--;
  demand (r, "}");
  return own;
}

static void read_input (Reader *r) {
  do {
    const guint begin = r->at;
    const guint32 id = identifier (r);
    demand (r, "=");
    if (r->failed)
      return;
    SpirvInput *value = read_value (r);
    const SpirvInst *at = spirv_definition (r->front->module, id);
    const gboolean takes = at->opcode == SpvOpVariable ? at->words[3] != SpvStorageClassInput
                                                       : is_argument (r->front->module, id);
    if (!r->failed && !takes
        && (value->items.n || !spirv_specialise (r->front->module, id, value->number))) {
      r->at = begin;
      skip (r);
      fail (r, "a variable, an entry's parameter or a specialization constant");
    }
    g_hash_table_insert (r->front->inputs, GUINT_TO_POINTER (id), value);
  } while (!r->failed && take (r, ","));
}

/* ---- Questions ------------------------------------------------------------------------------ */

static CExpr *new_expr (Reader *r, CExprKind kind, guint begin, CExpr *a, CExpr *b) {
  CExpr *own = rsp_arena_new0 (r->front->arena, CExpr, 1);
  *own = (CExpr){ .kind = kind, .span = span_from (r, begin), .a = a, .b = b };
  own->depth = 1 + MAX (a ? a->depth : 0, b ? b->depth : 0);
  if (own->depth > LITMUS_MAX_DEPTH)
    fail (r, "fewer nested operators");
  return own;
}

static CExpr *number_expr (Reader *r, guint begin, gint64 value) {
  CExpr *own = new_expr (r, C_NUMBER, begin, NULL, NULL);
  own->number = (LitmusNumber){ .value = value, .bits = 64, .is_signed = TRUE };
  if (value >= G_MININT32 && value <= G_MAXINT32)
    own->number.bits = 32;
  return own;
}

/* An element of an array of the type, or of memory; with a stride of its own, it is wrapped in a
 * structure. */
static CExpr *element (Reader *r, guint begin, CExpr *whole, guint32 type, gint64 index) {
  CExpr *own = new_expr (r, C_INDEX, begin, whole, number_expr (r, begin, index));
  if (!spirv_stride (r->front->module, type))
    return own;
  own = new_expr (r, C_MEMBER, begin, own, NULL);
  own->name = "";
  return own;
}

/* Makes *expr a part of itself, which has the type. Returns the part's type. */
static guint32 part (Reader *r, guint begin, guint32 type, gint64 index, CExpr **expr) {
  const SpirvModule *module = r->front->module;
  const SpirvInst *own = spirv_definition (module, type);
  const gboolean is_struct = own->opcode == SpvOpTypeStruct,
                 is_vector = own->opcode == SpvOpTypeVector && own->words[3] <= 16;
  if (index < 0
      || (index >= spirv_n_parts (module, type) && own->opcode != SpvOpTypeRuntimeArray)) {
    fail (r, "fewer indexes, or smaller ones");
    return 0;
  }
  if (!is_struct && !is_vector) {
    *expr = element (r, begin, *expr, type, index);
    return own->words[2];
  }
  *expr = new_expr (r, C_MEMBER, begin, *expr, NULL);
  (*expr)->name = is_struct ? spirv_member_name (module, type, (guint) index)
                            : rsp_arena_printf (r->front->arena, "s%x", (guint) index);
  return own->words[is_struct ? 2 + index : 2];
}

/* `%x[0][1]` */
static CExpr *operand (Reader *r) {
  skip (r);
  const guint begin = r->at;
  if (r->at >= r->end || r->text[r->at] != '%')
    return number_expr (r, begin, number (r));
  const guint32 id = identifier (r);
  if (!id)
    return NULL;
  const SpirvModule *module = r->front->module;
  const SpirvInst *at = spirv_definition (module, id), *type = spirv_definition (module, at->type);
  CExpr *own = new_expr (r, C_NAME, begin, NULL, NULL);
  own->name = module->names[id];
  if (!r->front->variables[id] || type->opcode != SpvOpTypePointer) {
    r->at = begin;
    fail (r, "a variable in memory that work-items share");
    return NULL;
  }
  guint32 to = type->words[3];
  const guint32 elements = spirv_elements_of (module, to);
  gint64 index[2] = { 0, 0 };
  if (elements || at->opcode == SpvOpFunctionParameter) {
    const gboolean wrapped = elements && spirv_definition (module, to)->opcode == SpvOpTypeStruct;
    const guint32 array = wrapped ? spirv_definition (module, to)->words[2] : to;
    for (guint i = 0; i < 1u + wrapped && take (r, "["); i++) {
      index[i] = number (r);
      demand (r, "]");
    }
    if (wrapped && index[0]) {
      r->at = begin;
      fail (r, "`[0]` behind a block, for its first member");
    }
    own = element (r, begin, own, array, index[wrapped]);
    to = elements ? elements : to;
  } else
    own = element (r, begin, own, 0, 0);
  while (!r->failed && take (r, "[")) {
    const gint64 next = number (r);
    demand (r, "]");
    to = part (r, begin, to, next, &own);
  }
  return own;
}

static CExpr *disjunction (Reader *r);

static CExpr *comparison (Reader *r) {
  static const struct {
    const char *word;
    RspOperator op;
  } words[] = { { "==", RSP_OP_EQ }, { "!=", RSP_OP_NE }, { "<=", RSP_OP_LE },
                { ">=", RSP_OP_GE }, { "<", RSP_OP_LT },  { ">", RSP_OP_GT } };
  skip (r);
  const guint begin = r->at;
  if (++r->depth > MOST_DEPTH)
    fail (r, "fewer nested parentheses");
  CExpr *own = NULL;
  if (r->failed)
    ;
  else if (take (r, "(")) {
    own = disjunction (r);
    demand (r, ")");
  } else if (take (r, "not") || take (r, "!")) {
    own = new_expr (r, C_UNARY, begin, comparison (r), NULL);
    own->op = RSP_OP_LOGICAL_NOT;
  } else {
    CExpr *left = operand (r);
    SPIRV_FIND (i, words, r->failed || take (r, words[i].word));
    if (i == G_N_ELEMENTS (words))
      fail (r, "a comparison: `==`, `!=`, `<`, `>`, `<=` or `>=`");
    own = r->failed ? NULL : new_expr (r, C_BINARY, begin, left, operand (r));
    if (own)
      own->op = words[i].op;
  }
  r->depth--;
  return own;
}

/* Operands joined by one of the words. */
static CExpr *joined (Reader *r, CExpr *(*next) (Reader *r), const char *word, const char *sign,
                      RspOperator op) {
  const guint begin = r->at;
  CExpr *own = next (r);
  while (!r->failed && (take (r, word) || take (r, sign))) {
    own = new_expr (r, C_BINARY, begin, own, next (r));
    own->op = op;
  }
  return own;
}

static CExpr *conjunction (Reader *r) {
  return joined (r, comparison, "and", "&&", RSP_OP_LOGICAL_AND);
}

static CExpr *disjunction (Reader *r) {
  return joined (r, conjunction, "or", "||", RSP_OP_LOGICAL_OR);
}

static gboolean takes_negation (Reader *r) { return take (r, "not exists") || take (r, "~exists"); }

const CExpr *spirv_question (SpirvFront *front, RspSpan span, RspDiagnostics *diagnostics) {
  Reader r = { .front = front,
               .text = span.source->text,
               .at = span.begin,
               .end = span.end,
               .diagnostics = diagnostics };
  const gboolean negated = takes_negation (&r);
  if (!negated && !take (&r, "forall"))
    take (&r, "exists");
  CExpr *own = disjunction (&r);
  skip (&r);
  if (!r.failed && r.at < r.end)
    fail (&r, "`and` or `or`");
  if (r.failed)
    return NULL;
  if (negated && front->base.quantifier == RSP_FORALL) {
    own = new_expr (&r, C_UNARY, span.begin, own, NULL);
    own->op = RSP_OP_LOGICAL_NOT;
  }
  return own;
}

/* ---- Comments ------------------------------------------------------------------------------- */

static void read_config (Reader *r) {
  for (guint i = 0; i < G_N_ELEMENTS (r->front->config) && !r->failed; i++) {
    if (i)
      demand (r, ",");
    const gint64 size = number (r);
    if (size < 1 || size > KERNEL_MAX_THREADS)
      fail (r, "a number of work-items, sub-groups or work-groups");
    else
      r->front->config[i] = (guint) size;
  }
}

/* Several questions must all hold, so `exists` must be the only one; `not exists` beside others is
 * `forall` with `not`. */
static void read_output (Reader *r) {
  SpirvFront *front = r->front;
  skip (r);
  const RspSpan span = { front->module->source, r->at, r->end };
  const gboolean exists = g_str_has_prefix (r->text + r->at, "exists");
  if (front->outputs->len && (exists || front->base.quantifier == RSP_EXISTS))
    fail (r, "one question: `exists` cannot be combined");
  front->base.quantifier = exists ? RSP_EXISTS : RSP_FORALL;
  if (!exists && !front->outputs->len && takes_negation (r))
    front->base.quantifier = RSP_NOT_EXISTS;
  g_array_append_val (front->outputs, span);
}

gboolean spirv_read_comments (SpirvFront *front, RspDiagnostics *diagnostics) {
  const RspSource *source = front->module->source;
  gboolean good = TRUE;
  for (guint i = 0; i < source->n_lines; i++) {
    Reader r = {
      .front = front, .text = source->text, .at = source->lines[i], .diagnostics = diagnostics
    };
    r.end = r.at + (guint) strcspn (source->text + r.at, "\r\n");
    if (!take (&r, ";"))
      continue;
    if (take (&r, "@Input:"))
      read_input (&r);
    else if (take (&r, "@Config:"))
      read_config (&r);
    else if (take (&r, "@Output:"))
      read_output (&r);
    else if (take (&r, "@Filter:")) {
      skip (&r);
      front->filter = (RspSpan){ front->module->source, r.at, r.end };
    }
    good &= !r.failed;
  }
  return good;
}
