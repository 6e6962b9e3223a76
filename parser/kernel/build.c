/* Building the syntax of kernels: types and declarations. */
#include "parser/kernel/build.h"
#include "parser/kernel/kernel.h"
#include "parser/litmus/types.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TYPE_DEPTH = 100 };

/* ---- Words ---- */

/* Scalars that vectors are made of, and opaque types. */
static const struct {
  const char *word;
  KernelTypeKind kind;
  guint8 bits;
  gboolean is_signed;
} scalars[]
    = { { "char", KERNEL_INTEGER, 8, TRUE },        { "uchar", KERNEL_INTEGER, 8, FALSE },
        { "short", KERNEL_INTEGER, 16, TRUE },      { "ushort", KERNEL_INTEGER, 16, FALSE },
        { "int", KERNEL_INTEGER, 32, TRUE },        { "uint", KERNEL_INTEGER, 32, FALSE },
        { "long", KERNEL_INTEGER, 64, TRUE },       { "ulong", KERNEL_INTEGER, 64, FALSE },
        { "float", KERNEL_FLOAT, 32, TRUE },        { "double", KERNEL_FLOAT, 64, TRUE },
        { "half", KERNEL_FLOAT, 16, TRUE },         { "atomic_float", KERNEL_FLOAT, 32, TRUE },
        { "atomic_double", KERNEL_FLOAT, 64, TRUE } };

static const char *const opaque_words[]
    = { "sampler_t", "event_t", "queue_t", "clk_event_t", "ndrange_t", "reserve_id_t", NULL };

/* Words that say nothing here: accesses of images, and the address space that any pointer has. */
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
      if (*lanes || (!*suffix && scalars[i].kind == KERNEL_FLOAT))
        return (int) i;
    }
  return -1;
}

static gboolean is_opaque (const char *word) {
  return g_strv_contains (opaque_words, word)
         || (g_str_has_prefix (word, "image") && g_str_has_suffix (word, "_t"));
}

/* The type of a vector or of an opaque object that the word names; NULL: it is neither. */
static KernelType *named_type (KernelParser *parser, const char *word) {
  guint lanes = 0;
  int row = find_scalar (word, &lanes);
  if (row < 0 && !is_opaque (word))
    return NULL;
  KernelType *type = rsp_arena_new0 (parser->base.arena, KernelType, 1);
  type->space = RSP_SPACE_PRIVATE;
  type->kind = row < 0 ? KERNEL_OPAQUE : scalars[row].kind;
  type->name = word;
  if (row < 0)
    return type;
  type->bits = scalars[row].bits;
  type->is_signed = scalars[row].is_signed;
  type->is_atomic = g_str_has_prefix (word, "atomic_");
  if (!lanes)
    return type;
  KernelType *vector = rsp_arena_new0 (parser->base.arena, KernelType, 1);
  *vector = (KernelType){
    .kind = KERNEL_VECTOR, .to = type, .lanes = lanes, .name = word, .space = RSP_SPACE_PRIVATE
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

gboolean kernel_is_whole_type (const char *word) {
  guint lanes;
  const LitmusTypeWord *row = rsp_litmus_type_word (word);
  return find_scalar (word, &lanes) >= 0 || is_opaque (word)
         || (row && (row->kind == LITMUS_TYPE_NAMED || row->kind == LITMUS_TYPE_ATOMIC));
}

/* ---- Specifiers ---- */

KernelSpecs *kernel_specs (KernelParser *parser, TokenRange range) {
  KernelSpecs *specs = rsp_arena_new0 (parser->base.arena, KernelSpecs, 1);
  specs->range = specs->words.range = range;
  return specs;
}

void kernel_add_type (KernelParser *parser, KernelSpecs *specs, TokenRange range,
                      KernelType *type) {
  if (specs->type || specs->words.base)
    rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range), NULL,
               "found a second type in one declaration");
  specs->type = type;
}

void kernel_add_word (KernelParser *parser, KernelSpecs *specs, TokenRange range,
                      const char *word) {
  KernelType *type = named_type (parser, word);
  const LitmusTypeWord *row = rsp_litmus_type_word (word);
  if (strcmp (word, "_Atomic") == 0)
    rsp_litmus_specs_atomic (&specs->words, range);
  else if (type)
    kernel_add_type (parser, specs, range, type);
  else if (row)
    rsp_litmus_specs_add (&parser->base, &specs->words, row, range);
}

static KernelType *base_type (KernelParser *parser, const KernelSpecs *specs) {
  KernelType *type = rsp_arena_new0 (parser->base.arena, KernelType, 1);
  if (specs->type)
    *type = *specs->type;
  else {
    RspType plain = rsp_litmus_type (&specs->words, 0);
    type->kind = plain.bits ? KERNEL_INTEGER : KERNEL_VOID;
    type->bits = plain.bits;
    type->is_signed = plain.is_signed;
    type->space = RSP_SPACE_PRIVATE;
  }
  type->is_const |= (specs->words.qualifiers & LITMUS_CONST) != 0;
  type->is_atomic |= (specs->words.qualifiers & LITMUS_ATOMIC) != 0;
  if (specs->words.space) {
    type->space = (RspSpace) specs->words.space->value;
    type->space_given = TRUE;
  }
  return type;
}

/* ---- Structures ---- */

/* What walks types calls itself for each part. */
static guint check_depth (KernelParser *parser, RspSpan span, guint depth) {
  if (depth == MAX_TYPE_DEPTH)
    rsp_error (parser->base.diagnostics, span, NULL, "found types nested more than %d deep",
               MAX_TYPE_DEPTH);
  return depth;
}

/* A member of a type that is not complete would make it endless. Returns how deeply types are
 * nested in the members. */
static guint check_members (KernelParser *parser, LitmusList members) {
  guint depth = 0;
  for (guint i = 0; i < members.n; i++) {
    const KernelVariable *member = members.items[i];
    const KernelType *type = member->type;
    while (type->kind == KERNEL_ARRAY)
      type = type->to;
    if (type->kind == KERNEL_STRUCT && !type->record->complete)
      rsp_error (parser->base.diagnostics, member->span, NULL,
                 "`struct %s` is not complete here: its definition must come before",
                 type->record->name);
    depth = MAX (depth, member->type->depth + 1);
    check_depth (parser, member->span, depth);
  }
  return depth;
}

KernelType *kernel_struct (KernelParser *parser, TokenRange range, const char *tag,
                           gboolean is_union, LitmusList *members) {
  KernelStruct *record = tag ? g_hash_table_lookup (parser->unit->structs, tag) : NULL;
  if (!record || (members && record->complete)) {
    record = rsp_arena_new0 (parser->base.arena, KernelStruct, 1);
    record->name = tag ? tag : "";
    record->is_union = is_union;
    if (tag)
      g_hash_table_insert (parser->unit->structs, (gpointer) tag, record);
  }
  if (members) {
    record->depth = check_members (parser, *members);
    record->members = *members;
    record->complete = TRUE;
  }
  (void) range;
  KernelType *type = rsp_arena_new0 (parser->base.arena, KernelType, 1);
  *type = (KernelType){
    .kind = KERNEL_STRUCT, .record = record, .depth = record->depth, .space = RSP_SPACE_PRIVATE
  };
  return type;
}

LitmusList kernel_members_of (KernelParser *parser, KernelSpecs *specs, TokenRange range) {
  const LitmusList none = { NULL, 0 };
  KernelVariable *variable = kernel_variable (parser, specs, NULL, range);
  gboolean counts = variable->type->kind == KERNEL_STRUCT && !*variable->type->record->name;
  return counts ? rsp_litmus_append (&parser->base, none, variable) : none;
}

/* ---- Declarators ---- */

KernelDeclarator *kernel_declarator (KernelParser *parser, TokenRange range, KernelTypeKind kind,
                                     KernelDeclarator *inner) {
  KernelDeclarator *declarator = rsp_arena_new0 (parser->base.arena, KernelDeclarator, 1);
  declarator->kind = kind;
  declarator->inner = inner;
  declarator->range = range;
  return declarator;
}

/* `* * x`: the list of pointers has the last one, nearest to the name, outside. */
KernelDeclarator *kernel_point (KernelDeclarator *pointers, KernelDeclarator *inner) {
  KernelDeclarator *result = inner;
  while (pointers) {
    KernelDeclarator *next = pointers->inner;
    pointers->inner = result;
    result = pointers;
    pointers = next;
  }
  return result;
}

static KernelType *derived (KernelParser *parser, const KernelDeclarator *declarator,
                            KernelType *of) {
  KernelType *type = rsp_arena_new0 (parser->base.arena, KernelType, 1);
  type->kind = declarator->kind;
  type->to = of;
  type->depth
      = check_depth (parser, rsp_litmus_span (&parser->base, declarator->range), of->depth + 1);
  type->space = declarator->kind == KERNEL_ARRAY ? of->space : RSP_SPACE_PRIVATE;
  type->space_given = declarator->kind == KERNEL_ARRAY && of->space_given;
  type->size = declarator->size;
  type->bits = declarator->kind == KERNEL_POINTER ? 64 : 0;
  const KernelSpecs *qualifiers = declarator->qualifiers;
  if (qualifiers) {
    type->is_const = (qualifiers->words.qualifiers & LITMUS_CONST) != 0;
    type->is_atomic = (qualifiers->words.qualifiers & LITMUS_ATOMIC) != 0;
    if (qualifiers->words.space)
      type->space = (RspSpace) qualifiers->words.space->value;
  }
  return type;
}

KernelVariable *kernel_variable (KernelParser *parser, KernelSpecs *specs,
                                 KernelDeclarator *declarator, TokenRange range) {
  KernelVariable *variable = rsp_arena_new0 (parser->base.arena, KernelVariable, 1);
  KernelType *type = base_type (parser, specs);
  for (; declarator; declarator = declarator->inner) {
    if (declarator->kind == KERNEL_VOID) {
      variable->name = declarator->name;
      range = declarator->range;
    } else
      type = derived (parser, declarator, type);
    if (declarator->kind == KERNEL_FUNCTION)
      variable->parameters = declarator->parameters;
  }
  variable->type = type;
  variable->span = rsp_litmus_span (&parser->base, range);
  variable->is_typedef = specs->is_typedef;
  if (specs->is_typedef && variable->name)
    g_hash_table_insert (parser->unit->typedefs, (gpointer) variable->name, type);
  return variable;
}

/* ---- Names of types that variables hide ---- */

static void count_hidden (KernelParser *parser, const KernelHidden *own, int change) {
  GHashTable *table = parser->unit->hidden;
  int n = GPOINTER_TO_INT (g_hash_table_lookup (table, own->name)) + change;
  g_hash_table_insert (table, (gpointer) own->name, GINT_TO_POINTER (n));
}

void kernel_hide (KernelParser *parser, const KernelVariable *variable, guint inner) {
  if (variable->is_typedef || !variable->name
      || !g_hash_table_contains (parser->unit->typedefs, variable->name))
    return;
  KernelHidden *own = rsp_arena_new0 (parser->base.arena, KernelHidden, 1);
  *own = (KernelHidden){ variable->name, parser->depth + inner, parser->hidden };
  parser->hidden = own;
  count_hidden (parser, own, 1);
}

gboolean kernel_is_hidden (const KernelParser *parser, const char *name) {
  return parser->hidden && g_hash_table_lookup (parser->unit->hidden, name);
}

void kernel_end_scopes (KernelParser *parser, guint depth) {
  for (; parser->hidden && parser->hidden->depth > depth; parser->hidden = parser->hidden->next)
    count_hidden (parser, parser->hidden, -1);
}

/* ---- The file's declarations ---- */

void kernel_add_globals (KernelParser *parser, LitmusList variables) {
  for (guint i = 0; i < variables.n; i++) {
    const KernelVariable *variable = variables.items[i];
    if (!variable->is_typedef && variable->type->kind != KERNEL_FUNCTION)
      parser->unit->globals
          = rsp_litmus_append (&parser->base, parser->unit->globals, variables.items[i]);
  }
}

void kernel_add_axiom (KernelParser *parser, TokenRange range, const char *name,
                       LitmusList arguments) {
  gboolean is_static = strcmp (name, "_Static_assert") == 0 && arguments.n == 2;
  if (is_static || (strcmp (name, "__axiom") == 0 && arguments.n == 1)) {
    KernelExpr *axiom
        = kernel_expr (parser, range, KERNEL_CALL, RSP_OP_NONE, arguments.items[0], NULL);
    axiom->name = name;
    parser->unit->axioms = rsp_litmus_append (&parser->base, parser->unit->axioms, axiom);
  } else
    rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range),
               "is it a macro that an `#include` or -D should define?",
               "found `%s (…)` between functions, which is not a declaration", name);
}

void kernel_add_function (KernelParser *parser, KernelSpecs *specs, KernelDeclarator *declarator,
                          KernelStatement *body) {
  KernelVariable *variable = kernel_variable (parser, specs, declarator, declarator->range);
  KernelFunction *function = rsp_arena_new0 (parser->base.arena, KernelFunction, 1);
  if (variable->type->kind != KERNEL_FUNCTION) {
    rsp_error (parser->base.diagnostics, variable->span, NULL,
               "found a body after `%s`, which is not a function", variable->name);
    return;
  }
  *function = (KernelFunction){ .name = variable->name,
                                .span = variable->span,
                                .result = variable->type->to,
                                .parameters = variable->parameters,
                                .body = body,
                                .is_kernel = specs->is_kernel };
  const LitmusList parameters = function->parameters;
  const KernelVariable *only = parameters.n == 1 ? parameters.items[0] : NULL;
  if (only && only->type->kind == KERNEL_VOID)
    function->parameters.n = 0;
  parser->unit->functions = rsp_litmus_append (&parser->base, parser->unit->functions, function);
}

/* ---- Expressions and statements ---- */

KernelExpr *kernel_expr (KernelParser *parser, TokenRange range, KernelExprKind kind,
                         RspOperator op, KernelExpr *a, KernelExpr *b) {
  KernelExpr *expr = rsp_arena_new0 (parser->base.arena, KernelExpr, 1);
  *expr = (KernelExpr){
    .kind = kind, .span = rsp_litmus_span (&parser->base, range), .op = op, .a = a, .b = b
  };
  return expr;
}

/* What members and elements are taken of, in an operand without parentheses of its own. */
static KernelExpr **innermost_operand (KernelExpr **operand) {
  while (((*operand)->kind == KERNEL_MEMBER || (*operand)->kind == KERNEL_INDEX)
         && !(*operand)->in_parentheses)
    operand = &(*operand)->a;
  return operand;
}

KernelExpr *kernel_cast_expr (KernelParser *parser, TokenRange range, KernelType *type,
                              KernelExpr *operand) {
  KernelExpr **inner = type->kind == KERNEL_VECTOR ? innermost_operand (&operand) : &operand;
  if (!(*inner)->in_parentheses)
    inner = &operand;
  KernelExpr *cast = kernel_expr (parser, range, KERNEL_CAST, RSP_OP_NONE, *inner, NULL);
  cast->type = type;
  *inner = cast;
  return operand;
}

KernelStatement *kernel_statement (KernelParser *parser, TokenRange range, KernelStatementKind kind,
                                   KernelExpr *expr, KernelStatement *body) {
  KernelStatement *statement = rsp_arena_new0 (parser->base.arena, KernelStatement, 1);
  *statement = (KernelStatement){
    .kind = kind, .span = rsp_litmus_span (&parser->base, range), .expr = expr, .body = body
  };
  return statement;
}

const char *kernel_joined (KernelParser *parser, LitmusList strings) {
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; i < strings.n; i++)
    g_string_append (all, strings.items[i]);
  return rsp_arena_strdup (parser->base.arena, all->str);
}

void kernel_unsupported (KernelParser *parser, TokenRange range, const char *construct,
                         const char *instead) {
  rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, range), instead,
             "found %s, which kernels cannot use here", construct);
}
