/* The syntax of C and OpenCL C: what the grammar builds. */
#include "base/base.h"
#include "lexer/columns.h"
#include "parser/c/c.h"
#include "parser/kernel/kernel.h"

#include <string.h>

/* ---- Enumerations ---------------------------------------------------------------------------- */

CType *c_enum (CParser *parser) {
  CType *type = rsp_arena_new0 (parser->base.arena, CType, 1);
  *type = (CType){ .kind = C_INTEGER, .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
  return type;
}

void c_begin_enumeration (CParser *parser) {
  parser->last_value = NULL;
  parser->any_enumerator = FALSE;
}

/* The value is that of the last enumerator with one, and how far the enumerator comes after it. */
void c_add_enumerator (CParser *parser, TokenRange range, const char *name, CExpr *value) {
  CVariable *own = rsp_arena_new0 (parser->base.arena, CVariable, 1);
  CExpr *offset = c_expr (parser, range, C_NUMBER, RSP_OP_NONE, NULL, NULL);
  parser->last_value = value ? value : parser->last_value;
  parser->after_value = value || !parser->any_enumerator ? 0 : parser->after_value + 1;
  parser->any_enumerator = TRUE;
  offset->number = (LitmusNumber){ .value = parser->after_value, .bits = 32, .is_signed = TRUE };
  *own = (CVariable){ .name = name,
                      .type = c_enum (parser),
                      .span = rsp_litmus_span (&parser->base, range),
                      .initial = offset,
                      .is_enumerator = TRUE };
  if (parser->last_value)
    own->initial = c_expr (parser, range, C_BINARY, RSP_OP_ADD, parser->last_value, offset);
  parser->enumerators = rsp_litmus_append (&parser->base, parser->enumerators, own);
  c_note (parser, RSP_KERNEL_ENUMERATOR, name, range);
}

LitmusList c_take_enumerators (CParser *parser) {
  const LitmusList all = parser->enumerators;
  parser->enumerators = (LitmusList){ NULL, 0 };
  return all;
}

/* ---- Types and declarations ------------------------------------------------------------------ */

enum { MAX_TYPE_DEPTH = 100 };

/* ---- Words ---- */
/* Scalars that vectors are made of, and opaque types. */
static const struct {
  const char *word;
  CTypeKind kind;
  guint8 bits;
  gboolean is_signed;
} scalars[] = { { "char", C_INTEGER, 8, TRUE },        { "uchar", C_INTEGER, 8, FALSE },
                { "short", C_INTEGER, 16, TRUE },      { "ushort", C_INTEGER, 16, FALSE },
                { "int", C_INTEGER, 32, TRUE },        { "uint", C_INTEGER, 32, FALSE },
                { "long", C_INTEGER, 64, TRUE },       { "ulong", C_INTEGER, 64, FALSE },
                { "float", C_FLOAT, 32, TRUE },        { "double", C_FLOAT, 64, TRUE },
                { "half", C_FLOAT, 16, TRUE },         { "atomic_float", C_FLOAT, 32, TRUE },
                { "atomic_double", C_FLOAT, 64, TRUE } };

static const char *const opaque_words[]
    = { "sampler_t", "event_t", "queue_t", "clk_event_t", "ndrange_t", "reserve_id_t", NULL };

/* Ignored words: how images are accessed, and the generic address space. */
static const char *const ignored_words[]
    = { "read_only",    "__read_only", "write_only", "__write_only", "read_write",
        "__read_write", "generic",     "__generic",  "__const",      "__volatile",
        "__restrict__", "signed__",    "__const__",  "__volatile__", NULL };

/* The lanes in "4", "16"; 0: not a vector's. */
static guint lanes_of (const char *suffix) {
  static const guint lanes[] = { 2, 3, 4, 8, 16 };
  for (gsize i = 0; i < G_N_ELEMENTS (lanes); i++) {
    char text[4];
    g_snprintf (text, sizeof text, "%u", lanes[i]);
    if (strcmp (suffix, text) == 0)
      return lanes[i];
  }
  return 0;
}

/* The row of `scalars` with which the word begins, and the lanes after it (0: none); -1: none. */
static int find_scalar (const char *word, guint *lanes) {
  for (gsize i = 0; i < G_N_ELEMENTS (scalars); i++)
    if (g_str_has_prefix (word, scalars[i].word)) {
      const char *suffix = word + strlen (scalars[i].word);
      *lanes = lanes_of (suffix);
      if (*lanes || (!*suffix && scalars[i].kind == C_FLOAT))
        return (int) i;
    }
  return -1;
}

static gboolean is_opaque (const char *word) {
  return g_strv_contains (opaque_words, word)
         || (g_str_has_prefix (word, "image") && g_str_has_suffix (word, "_t"));
}

/* The type of a vector or of an opaque object that the word names; NULL: it is neither. */
static CType *named_type (CParser *parser, const char *word) {
  guint lanes = 0;
  int row = find_scalar (word, &lanes);
  if (row < 0 && !is_opaque (word))
    return NULL;
  CType *type = rsp_arena_new0 (parser->base.arena, CType, 1);
  type->space = RSP_SPACE_PRIVATE;
  type->kind = row < 0 ? C_OPAQUE : scalars[row].kind;
  type->name = word;
  if (row < 0)
    return type;
  type->bits = scalars[row].bits;
  type->is_signed = scalars[row].is_signed;
  type->is_atomic = g_str_has_prefix (word, "atomic_");
  if (!lanes)
    return type;
  CType *vector = rsp_arena_new0 (parser->base.arena, CType, 1);
  *vector = (CType){
    .kind = C_VECTOR, .to = type, .lanes = lanes, .name = word, .space = RSP_SPACE_PRIVATE
  };
  return vector;
}

gboolean rsp_kernel_is_type_word (const char *word) {
  guint lanes;
  return rsp_litmus_type_word (word) || find_scalar (word, &lanes) >= 0 || is_opaque (word)
         || g_strv_contains (ignored_words, word) || strcmp (word, "_Atomic") == 0;
}

gboolean rsp_kernel_is_specifier (const char *word) {
  guint lanes;
  const LitmusTypeWord *row = rsp_litmus_type_word (word);
  return find_scalar (word, &lanes) >= 0 || is_opaque (word)
         || (row && row->kind != LITMUS_TYPE_QUALIFIER && row->kind != LITMUS_TYPE_SPACE);
}

gboolean c_is_whole_type (const char *word) {
  guint lanes;
  const LitmusTypeWord *row = rsp_litmus_type_word (word);
  return find_scalar (word, &lanes) >= 0 || is_opaque (word)
         || (row && (row->kind == LITMUS_TYPE_NAMED || row->kind == LITMUS_TYPE_ATOMIC));
}

/* ---- Specifiers ---- */
CSpecs *c_specs (CParser *parser) { return rsp_arena_new0 (parser->base.arena, CSpecs, 1); }

void c_add_type (CParser *parser, CSpecs *specs, TokenRange range, CType *type) {
  if (specs->type || specs->words.base)
    rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range), NULL,
               "found a second type in one declaration");
  specs->type = type;
}

/* A test has fewer types: those of parser/litmus/words.def. */
void c_add_word (CParser *parser, CSpecs *specs, TokenRange range, const char *word) {
  CType *type = c_is_kernel (parser) ? named_type (parser, word) : NULL;
  const LitmusTypeWord *row = rsp_litmus_type_word (word);
  if (type)
    c_add_type (parser, specs, range, type);
  else if (row)
    rsp_litmus_specs_add (&parser->base, &specs->words, row, range);
}

void c_add_atomic (CParser *parser, CSpecs *specs, TokenRange range, CSpecs *inner,
                   CDeclarator *declarator) {
  CType *type = c_variable (parser, inner, declarator, range)->type;
  type->is_atomic = TRUE;
  if (c_is_kernel (parser)) {
    c_add_type (parser, specs, range, type);
    return;
  }
  for (const CType *t = type; t->kind == C_POINTER; t = t->to)
    inner->words.pointers++;
  inner->words.qualifiers |= LITMUS_ATOMIC;
  if (specs->words.spelling || specs->words.space || specs->words.qualifiers)
    rsp_litmus_specs_merge (&parser->base, &specs->words, &inner->words, range);
  else
    specs->words = inner->words;
  if (type->kind == C_POINTER)
    specs->type = type;
}

static CType *base_type (CParser *parser, const CSpecs *specs) {
  const LitmusSpecs *words = &specs->words;
  CType *type = rsp_arena_new0 (parser->base.arena, CType, 1);
  if (specs->type)
    *type = *specs->type;
  else {
    type->bits = (guint8) (words->size   ? words->size->value
                           : words->base ? words->base->value
                                         : 32);
    type->is_signed = words->sign ? words->sign->flag : words->base ? words->base->flag : TRUE;
    type->kind = type->bits ? C_INTEGER : C_VOID;
    type->space = RSP_SPACE_PRIVATE;
  }
  type->is_const |= (words->qualifiers & LITMUS_CONST) != 0;
  type->is_atomic |= (words->qualifiers & LITMUS_ATOMIC) != 0;
  if (words->space) {
    type->space = (RspSpace) words->space->value;
    type->space_word = words->space;
  }
  return type;
}

/* ---- Structures ---- */
/* Code that walks types is recursive, so their depth is limited. */
static guint check_depth (CParser *parser, RspSpan span, guint depth) {
  if (depth == MAX_TYPE_DEPTH)
    rsp_error (parser->base.diagnostics, span, NULL, "found types nested more than %d deep",
               MAX_TYPE_DEPTH);
  return depth;
}

/* Reads `packed` and `aligned (16)` in the attributes that begin here; the scanner skips them. */
static void read_alignment (CParser *parser, guint from, CAlignment *alignment) {
  const char *text = parser->base.source->text, *at = text + from;
  for (at += strspn (at, " \t\n"); g_str_has_prefix (at, "__attribute");
       at += strspn (at, " \t\n")) {
    const char *number = NULL;
    guint depth = 0;
    for (at += strcspn (at, "("); *at; at++) {
      depth += *at == '(';
      if (*at == ')' && depth-- == 3 && number)
        alignment->least.end = (guint) (at - text);
      if (!depth)
        break;
      if (depth != 2 || !g_ascii_isalpha (*at) || !strchr ("(, _", at[-1]))
        continue;
      alignment->packed |= g_str_has_prefix (at, "packed");
      number = g_str_has_prefix (at, "aligned") ? at + strlen ("aligned") : NULL;
      if (number) {
        number += strspn (number, "_ ");
        number += *number == '(';
        alignment->least
            = (RspSpan){ parser->base.source, (guint) (number - text), (guint) (number - text) };
      }
    }
    at += *at == ')';
  }
}

CType *c_struct (CParser *parser, TokenRange range, const char *tag, gboolean is_union,
                 LitmusList *members) {
  CStruct *record = tag ? g_hash_table_lookup (parser->unit->structs, tag) : NULL;
  if (!record || (members && record->complete)) {
    record = rsp_arena_new0 (parser->base.arena, CStruct, 1);
    record->name = tag ? tag : "";
    record->is_union = is_union;
    if (tag)
      g_hash_table_insert (parser->unit->structs, (gpointer) tag, record);
  }
  if (members) {
    /* A member of a type that is not complete would make it endless. Returns how deeply types are
     * nested in the members. */
    guint depth = 0;
    for (guint i = 0; i < members->n; i++) {
      const CVariable *member = members->items[i];
      const CType *type = member->type;
      while (type->kind == C_ARRAY)
        type = type->to;
      if (type->kind == C_STRUCT && !type->record->complete)
        rsp_error (parser->base.diagnostics, member->span, NULL,
                   "`struct %s` is not complete here: its definition must come before",
                   type->record->name);
      depth = MAX (depth, member->type->depth + 1);
      check_depth (parser, member->span, depth);
    }
    record->depth = depth;
    record->members = *members;
    record->complete = TRUE;
    read_alignment (parser, range.begin + (guint) strlen (is_union ? "union" : "struct"),
                    &record->aligned);
    read_alignment (parser, range.end, &record->aligned);
  }
  CType *type = rsp_arena_new0 (parser->base.arena, CType, 1);
  *type = (CType){
    .kind = C_STRUCT, .record = record, .depth = record->depth, .space = RSP_SPACE_PRIVATE
  };
  return type;
}

LitmusList c_members_of (CParser *parser, CSpecs *specs, TokenRange range) {
  const LitmusList none = { NULL, 0 };
  CVariable *variable = c_variable (parser, specs, NULL, range);
  gboolean counts = variable->type->kind == C_STRUCT && !*variable->type->record->name;
  return counts ? rsp_litmus_append (&parser->base, none, variable) : none;
}

/* ---- Declarators ---- */
CDeclarator *c_declarator (CParser *parser, TokenRange range, CTypeKind kind, CDeclarator *inner) {
  CDeclarator *declarator = rsp_arena_new0 (parser->base.arena, CDeclarator, 1);
  declarator->kind = kind;
  declarator->inner = inner;
  declarator->range = range;
  return declarator;
}

CDeclarator *c_pointer (CParser *parser, TokenRange range, CDeclarator *before,
                        CSpecs *qualifiers) {
  CDeclarator *pointer = c_declarator (parser, range, C_POINTER, before);
  pointer->qualifiers = qualifiers;
  pointer->stars = before ? before->stars + 1 : 1;
  if (pointer->stars == LITMUS_MAX_POINTERS + 1 && !c_is_kernel (parser))
    rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range), NULL,
               "a type may have at most %d stars", LITMUS_MAX_POINTERS);
  if (qualifiers && (qualifiers->type || qualifiers->words.spelling))
    rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range), NULL,
               "found the type `%s` after `*`, expected a qualifier or a name",
               qualifiers->type ? qualifiers->type->name : qualifiers->words.spelling);
  return pointer;
}

/* `* * x`: the list of pointers has the last one, nearest to the name, outside. */
CDeclarator *c_point (CDeclarator *pointers, CDeclarator *inner) {
  CDeclarator *result = inner;
  while (pointers) {
    CDeclarator *next = pointers->inner;
    pointers->inner = result;
    result = pointers;
    pointers = next;
  }
  return result;
}

static CType *derived (CParser *parser, const CDeclarator *declarator, CType *of) {
  CType *type = rsp_arena_new0 (parser->base.arena, CType, 1);
  type->kind = declarator->kind;
  type->to = of;
  guint inner = of->depth;
  for (guint i = 0; i < declarator->parameters.n; i++)
    inner = MAX (inner, ((const CVariable *) declarator->parameters.items[i])->type->depth);
  type->depth = check_depth (parser, rsp_litmus_span (&parser->base, declarator->range), inner + 1);
  type->space = declarator->kind == C_ARRAY ? of->space : RSP_SPACE_PRIVATE;
  type->space_word = declarator->kind == C_ARRAY ? of->space_word : NULL;
  type->size = declarator->size;
  type->bits = declarator->kind == C_POINTER ? 64 : 0;
  const CSpecs *qualifiers = declarator->qualifiers;
  if (qualifiers) {
    type->is_const = (qualifiers->words.qualifiers & LITMUS_CONST) != 0;
    type->is_atomic = (qualifiers->words.qualifiers & LITMUS_ATOMIC) != 0;
    type->space_word = qualifiers->words.space;
    if (type->space_word)
      type->space = (RspSpace) type->space_word->value;
  }
  return type;
}

CVariable *c_variable (CParser *parser, CSpecs *specs, CDeclarator *declarator, TokenRange range) {
  CVariable *variable = rsp_arena_new0 (parser->base.arena, CVariable, 1);
  CType *type = base_type (parser, specs);
  for (; declarator; declarator = declarator->inner) {
    if (declarator->kind == C_VOID) {
      variable->name = declarator->name;
      range = declarator->range;
    } else
      type = derived (parser, declarator, type);
    if (declarator->kind == C_FUNCTION)
      variable->parameters = declarator->parameters;
  }
  variable->type = type;
  variable->span = rsp_litmus_span (&parser->base, range);
  variable->is_typedef = specs->is_typedef;
  variable->specs = specs;
  if (specs->is_typedef && variable->name)
    g_hash_table_insert (parser->unit->typedefs, (gpointer) variable->name, type);
  return variable;
}

/* ---- Names of types that variables hide ---- */
static void count_hidden (CParser *parser, const CHidden *own, int change) {
  GHashTable *table = parser->unit->hidden;
  int n = GPOINTER_TO_INT (g_hash_table_lookup (table, own->name)) + change;
  g_hash_table_insert (table, (gpointer) own->name, GINT_TO_POINTER (n));
}

void c_hide (CParser *parser, const CVariable *variable, guint inner) {
  const TokenRange range = { variable->span.begin, variable->span.end };
  c_note (parser,
          variable->is_typedef                 ? RSP_KERNEL_TYPE
          : inner                              ? RSP_KERNEL_PARAMETER
          : variable->type->kind == C_FUNCTION ? RSP_KERNEL_FUNCTION
                                               : RSP_KERNEL_VARIABLE,
          variable->name, range);
  if (!parser->unit || variable->is_typedef || !variable->name
      || !g_hash_table_contains (parser->unit->typedefs, variable->name))
    return;
  CHidden *own = rsp_arena_new0 (parser->base.arena, CHidden, 1);
  *own = (CHidden){ variable->name, parser->depth + inner, parser->hidden };
  parser->hidden = own;
  count_hidden (parser, own, 1);
}

gboolean c_is_hidden (const CParser *parser, const char *name) {
  return parser->hidden && g_hash_table_lookup (parser->unit->hidden, name);
}

void c_end_scopes (CParser *parser, guint depth) {
  for (; parser->hidden && parser->hidden->depth > depth; parser->hidden = parser->hidden->next)
    count_hidden (parser, parser->hidden, -1);
}

/* ---- The file's declarations ---- */
void c_add_globals (CParser *parser, LitmusList variables) {
  for (guint i = 0; i < variables.n; i++) {
    const CVariable *variable = variables.items[i];
    LitmusList *all
        = variable->type->kind == C_FUNCTION ? &parser->unit->declared : &parser->unit->globals;
    if (!variable->is_typedef)
      *all = rsp_litmus_append (&parser->base, *all, variables.items[i]);
  }
}

void c_add_axiom (CParser *parser, TokenRange range, const char *name, LitmusList arguments) {
  gboolean is_static = strcmp (name, "_Static_assert") == 0 && arguments.n == 2;
  if (is_static || (strcmp (name, "__axiom") == 0 && arguments.n == 1)) {
    CExpr *axiom = c_expr (parser, range, C_CALL, RSP_OP_NONE, arguments.items[0], NULL);
    axiom->name = name;
    parser->unit->axioms = rsp_litmus_append (&parser->base, parser->unit->axioms, axiom);
  } else
    rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range),
               "is it a macro that an `#include` or -D should define?",
               "found `%s (…)` between functions, which is not a declaration", name);
}

void c_add_function (CParser *parser, CSpecs *specs, CDeclarator *declarator, CStatement *body,
                     TokenRange range) {
  CVariable *variable = c_variable (parser, specs, declarator, declarator->range);
  c_end_names (parser, range);
  parser->in_function = FALSE;
  for (guint i = parser->names ? parser->names->len : 0; i-- > 0;) {
    RspKernelName *name = &g_array_index (parser->names, RspKernelName, i);
    if (name->begin == variable->span.begin)
      name->body_end = range.end;
  }
  CFunction *function = rsp_arena_new0 (parser->base.arena, CFunction, 1);
  if (variable->type->kind != C_FUNCTION) {
    rsp_error (parser->base.diagnostics, variable->span, NULL,
               "found a body after `%s`, which is not a function", variable->name);
    return;
  }
  *function = (CFunction){ .name = variable->name,
                           .span = variable->span,
                           .result = variable->type->to,
                           .parameters = variable->parameters,
                           .body = body,
                           .is_kernel = specs->is_kernel };
  const LitmusList parameters = function->parameters;
  const CVariable *only = parameters.n == 1 ? parameters.items[0] : NULL;
  if (only && only->type->kind == C_VOID)
    function->parameters.n = 0;
  parser->unit->functions = rsp_litmus_append (&parser->base, parser->unit->functions, function);
}

/* ---- Names that are declared ---- */
void c_note (CParser *parser, RspKernelNameKind kind, const char *name, TokenRange range) {
  const RspKernelName own = { .name = name,
                              .kind = kind,
                              .is_outer = !parser->in_function && kind != RSP_KERNEL_PARAMETER,
                              .begin = range.begin,
                              .end = range.end,
                              .scope_end = G_MAXUINT };
  if (parser->names && name)
    g_array_append_val (parser->names, own);
}

void c_end_names (CParser *parser, TokenRange range) {
  for (guint i = parser->names ? parser->names->len : 0; i-- > 0;) {
    RspKernelName *name = &g_array_index (parser->names, RspKernelName, i);
    if (!name->is_outer && name->begin < range.begin)
      break;
    if (!name->is_outer)
      name->scope_end = MIN (name->scope_end, range.end);
  }
}

void c_begin_function (CParser *parser, const CDeclarator *declarator) {
  for (; declarator->inner; declarator = declarator->inner)
    ;
  c_note (parser, RSP_KERNEL_FUNCTION, declarator->name, declarator->range);
  parser->in_function = TRUE;
}

CVariable *c_add_member (CParser *parser, CSpecs *specs, CDeclarator *declarator,
                         TokenRange range) {
  CVariable *member = c_variable (parser, specs, declarator, range);
  /* Attributes before the first name are those of all. */
  const char *text = parser->base.source->text, *first = text + range.begin, *from = first;
  while (from > text && strchr (" \t\n", from[-1]))
    from--;
  if (from > text && from[-1] != ',') {
    for (from = first; from > text && !strchr (";{}", from[-1]);)
      from--;
    from = g_strstr_len (from, first - from, "__attribute");
    if (from)
      read_alignment (parser, (guint) (from - text), &specs->alignment);
  }
  member->alignment = specs->alignment;
  read_alignment (parser, range.end, &member->alignment);
  c_note (parser, RSP_KERNEL_MEMBER, member->name,
          (TokenRange){ member->span.begin, member->span.end });
  return member;
}

gboolean c_declares (const CParser *parser, const char *word) {
  for (guint i = 0; i < parser->names->len; i++) {
    const RspKernelName *name = &g_array_index (parser->names, RspKernelName, i);
    gboolean is_object = name->kind != RSP_KERNEL_TYPE && name->kind != RSP_KERNEL_TAG
                         && name->kind != RSP_KERNEL_MEMBER;
    if (is_object && name->scope_end == G_MAXUINT && strcmp (name->name, word) == 0)
      return TRUE;
  }
  return FALSE;
}

/* ---- Expressions and statements ---- */
/* The expression contains one of this depth. */
static void contain (CParser *parser, CExpr *expr, guint inner) {
  if (inner >= LITMUS_MAX_DEPTH && !parser->base.too_deep) {
    rsp_error (parser->base.diagnostics, expr->span, NULL,
               "this expression is nested too deeply: more than %d operators within each other",
               LITMUS_MAX_DEPTH);
    parser->base.too_deep = TRUE;
  }
  expr->depth = MAX (expr->depth, inner + 1);
}

CExpr *c_expr (CParser *parser, TokenRange range, CExprKind kind, RspOperator op, CExpr *a,
               CExpr *b) {
  CExpr *expr = rsp_arena_new0 (parser->base.arena, CExpr, 1);
  *expr = (CExpr){
    .kind = kind, .span = rsp_litmus_span (&parser->base, range), .op = op, .a = a, .b = b
  };
  contain (parser, expr, a ? a->depth : 0);
  contain (parser, expr, b ? b->depth : 0);
  return expr;
}

CExpr *c_with_args (CParser *parser, CExpr *expr, LitmusList args) {
  expr->args = args;
  for (guint i = 0; i < args.n; i++)
    contain (parser, expr, ((const CExpr *) args.items[i])->depth);
  return expr;
}

CExpr *c_with_third (CParser *parser, CExpr *expr, CExpr *third) {
  expr->c = third;
  contain (parser, expr, third->depth);
  return expr;
}

CExpr *c_named (CExpr *expr, const char *name) {
  expr->name = name;
  return expr;
}

const CExpr *c_find (const CExpr *expr, gboolean (*is_it) (const CExpr *, const char *),
                     const char *name) {
  if (!expr || is_it (expr, name))
    return expr;
  const CExpr *found = NULL;
  for (guint i = 0; i < expr->args.n && !found; i++)
    found = c_find (expr->args.items[i], is_it, name);
  found = found ? found : c_find (expr->a, is_it, name);
  found = found ? found : c_find (expr->b, is_it, name);
  return found ? found : c_find (expr->c, is_it, name);
}

CExpr *c_cast_expr (CParser *parser, TokenRange range, CType *type, CExpr *operand) {
  CExpr **inner = &operand; /* of a vector: what members and elements are taken of */
  while (type->kind == C_VECTOR && ((*inner)->kind == C_MEMBER || (*inner)->kind == C_INDEX)
         && !(*inner)->in_parentheses)
    inner = &(*inner)->a;
  if (!(*inner)->in_parentheses)
    inner = &operand;
  CExpr *cast = c_expr (parser, range, C_CAST, RSP_OP_NONE, *inner, NULL);
  cast->type = type;
  *inner = cast;
  return operand;
}

CStatement *c_statement (CParser *parser, TokenRange range, CStatementKind kind, CExpr *expr,
                         CStatement *body) {
  CStatement *statement = rsp_arena_new0 (parser->base.arena, CStatement, 1);
  *statement = (CStatement){
    .kind = kind, .span = rsp_litmus_span (&parser->base, range), .expr = expr, .body = body
  };
  return statement;
}

CStatement *c_inner_declaration (CParser *parser, TokenRange range, CStatement *declaration) {
  if (c_is_kernel (parser))
    rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range), "put it in braces",
               "found a declaration, expected a statement");
  return declaration;
}

const char *c_joined (CParser *parser, LitmusList strings) {
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; i < strings.n; i++)
    g_string_append_printf (all, "%s%s", i ? "\"" : "", (const char *) strings.items[i]);
  return rsp_arena_strdup (parser->base.arena, all->str);
}

void c_unsupported (CParser *parser, TokenRange range, const char *construct, const char *instead) {
  rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range), instead,
             c_is_kernel (parser)
                 ? "found %s, which kernels cannot use here"
                 : "found %s, which is outside the part of C that tests are written in",
             construct);
}

/* ---- Parse ---------------------------------------------------------------------------------- */

const char *const c_wholes[] = { [C_TEST] = "file",
                                 [C_QUESTION] = "condition",
                                 [C_END] = "file",
                                 [C_UNIT] = "file",
                                 [C_ASSERTION] = "assertion" };

const SyntaxLanguage *c_syntax (const CParser *parser) {
  return c_is_kernel (parser)   ? &kernel_syntax
         : parser->base.columns ? &columns_syntax
                                : &litmus_syntax;
}

static gboolean is_type (const char *word) { return rsp_litmus_type_word (word) != NULL; }

gboolean c_parse (CParser *parser, CStart start, RspSpan span) {
  LitmusParser *base = &parser->base;
  guint errors = rsp_diagnostics_count_errors (base->diagnostics);
  gboolean is_c = base->scan.is_c; /* of a question: is its test in C? */
  parser->start = start;
  base->source = span.source;
  (base->columns ? rsp_columns_scan_begin : rsp_c_scan_begin) (&base->scan, start, span,
                                                               base->arena, base->diagnostics);
  base->scan.is_c = is_c;
  base->scan.is_type = c_is_kernel (parser) ? NULL : is_type;
  int status = rsp_c_yyparse (parser);
  if (status == 0 && base->test) {
    base->test->condition = rsp_litmus_balance (base, base->test->condition);
    base->test->filter = rsp_litmus_balance (base, base->test->filter);
  }
  (base->columns ? rsp_columns_scan_end : rsp_c_scan_end) (&base->scan);
  return status == 0 && rsp_diagnostics_count_errors (base->diagnostics) == errors;
}
