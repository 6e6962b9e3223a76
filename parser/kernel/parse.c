/* Kernels: what the grammar builds, and its errors. */
#include "base/base.h"
#include "lexer/kernel.h"
#include "parser/kernel/internal.h"
#include "parser/kernel/kernel.h"
#include "parser/litmus/litmus.h"

#include <stdlib.h>
#include <string.h>

/* ---- Enumeration ---------------------------------------------------------------------------- */

/* Building the syntax of kernels: enumerations. */

KernelType *kernel_enum (KernelParser *parser) {
  KernelType *type = rsp_arena_new0 (parser->base.arena, KernelType, 1);
  *type = (KernelType){
    .kind = KERNEL_INTEGER, .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE
  };
  return type;
}

void kernel_begin_enumeration (KernelParser *parser) {
  parser->last_value = NULL;
  parser->any_enumerator = FALSE;
}

/* The value is that of the last enumerator with one, and how far the enumerator comes after it. */
void kernel_add_enumerator (KernelParser *parser, TokenRange range, const char *name,
                            KernelExpr *value) {
  KernelVariable *own = rsp_arena_new0 (parser->base.arena, KernelVariable, 1);
  KernelExpr *offset = kernel_expr (parser, range, KERNEL_NUMBER, RSP_OP_NONE, NULL, NULL);
  parser->last_value = value ? value : parser->last_value;
  parser->after_value = value || !parser->any_enumerator ? 0 : parser->after_value + 1;
  parser->any_enumerator = TRUE;
  offset->number = (LitmusNumber){ .value = parser->after_value, .bits = 32, .is_signed = TRUE };
  *own = (KernelVariable){ .name = name,
                           .type = kernel_enum (parser),
                           .span = rsp_litmus_span (&parser->base, range),
                           .initial = offset,
                           .is_enumerator = TRUE };
  if (parser->last_value)
    own->initial
        = kernel_expr (parser, range, KERNEL_BINARY, RSP_OP_ADD, parser->last_value, offset);
  parser->enumerators = rsp_litmus_append (&parser->base, parser->enumerators, own);
  kernel_note (parser, RSP_KERNEL_ENUMERATOR, name, range);
}

LitmusList kernel_take_enumerators (KernelParser *parser) {
  const LitmusList all = parser->enumerators;
  parser->enumerators = (LitmusList){ NULL, 0 };
  return all;
}

/* ---- Build ---------------------------------------------------------------------------------- */

/* Building the syntax of kernels: types and declarations. */

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
  gboolean is_function = variable->type->kind == KERNEL_FUNCTION;
  const TokenRange range = { variable->span.begin, variable->span.end };
  kernel_note (parser,
               variable->is_typedef ? RSP_KERNEL_TYPE
               : inner              ? RSP_KERNEL_PARAMETER
               : is_function        ? RSP_KERNEL_FUNCTION
                                    : RSP_KERNEL_VARIABLE,
               variable->name, range);
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
                          KernelStatement *body, TokenRange range) {
  KernelVariable *variable = kernel_variable (parser, specs, declarator, declarator->range);
  kernel_end_names (parser, range);
  parser->in_function = FALSE;
  for (guint i = parser->names ? parser->names->len : 0; i-- > 0;) {
    RspKernelName *name = &g_array_index (parser->names, RspKernelName, i);
    if (name->begin == variable->span.begin)
      name->body_end = range.end;
  }
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

/* ---- Names that are declared ---- */
void kernel_note (KernelParser *parser, RspKernelNameKind kind, const char *name,
                  TokenRange range) {
  const RspKernelName own = { .name = name,
                              .kind = kind,
                              .is_outer = !parser->in_function && kind != RSP_KERNEL_PARAMETER,
                              .begin = range.begin,
                              .end = range.end,
                              .scope_end = G_MAXUINT };
  if (parser->names && name)
    g_array_append_val (parser->names, own);
}

void kernel_end_names (KernelParser *parser, TokenRange range) {
  for (guint i = parser->names ? parser->names->len : 0; i-- > 0;) {
    RspKernelName *name = &g_array_index (parser->names, RspKernelName, i);
    if (!name->is_outer && name->begin < range.begin)
      break;
    if (!name->is_outer)
      name->scope_end = MIN (name->scope_end, range.end);
  }
}

void kernel_begin_function (KernelParser *parser, const KernelDeclarator *declarator) {
  for (; declarator->inner; declarator = declarator->inner)
    ;
  kernel_note (parser, RSP_KERNEL_FUNCTION, declarator->name, declarator->range);
  parser->in_function = TRUE;
}

KernelVariable *kernel_add_member (KernelParser *parser, KernelSpecs *specs,
                                   KernelDeclarator *declarator, TokenRange range) {
  KernelVariable *member = kernel_variable (parser, specs, declarator, range);
  kernel_note (parser, RSP_KERNEL_MEMBER, member->name,
               (TokenRange){ member->span.begin, member->span.end });
  return member;
}

gboolean kernel_declares (const KernelParser *parser, const char *word) {
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

/* ---- Errors --------------------------------------------------------------------------------- */

/* Syntax errors in kernels. */

/* Constructs that kernels cannot have. */
static const SyntaxSlip slips[] = {
  { .found = "pipe", .construct = "a pipe" },
  { .found = "asm", .construct = "assembly" },
  { .found = "__asm__", .construct = "assembly" },
  { .found = "__asm", .construct = "assembly" },
  { .found = "^", .construct = "a block" },
  { .found = "typeof", .construct = "`typeof`" },
  { .found = "__typeof__", .construct = "`typeof`" },
  { .found = "__typeof", .construct = "`typeof`" },
  { .found = "_Generic", .construct = "`_Generic`" },
  { .found = "template", .construct = "C++" },
  { .found = "namespace", .construct = "C++" },
};

static gboolean is_name (const char *text) { return g_ascii_isalpha (text[0]) || text[0] == '_'; }

/* A word that should have been the name of a type. */
static char *unknown_type (gconstpointer parser, const SyntaxError *error) {
  const char *found = error->found,
             *unknown = found[0] == '*' || !is_name (found) ? error->word_before : found;
  (void) parser;
  if (error->at_end || !is_name (unknown) || rsp_kernel_is_type_word (unknown))
    return NULL;
  return g_strdup_printf ("is `%s` a type or macro that an `#include` or -D should define?",
                          unknown);
}

const SyntaxLanguage kernel_syntax = { .texts = "kernels",
                                       .slips = slips,
                                       .n_slips = G_N_ELEMENTS (slips),
                                       .most = 3,
                                       .all_or_nothing = TRUE,
                                       .guess_last = unknown_type };

/* ---- Parse ---------------------------------------------------------------------------------- */

/* From a kernel's file to its program. */

enum {
  MAX_LENGTH = 1 << 20 /* bytes of a kernel's file */
};

static gboolean run_grammar (KernelParser *parser) {
  guint errors = rsp_diagnostics_count_errors (parser->base.diagnostics);
  int status = rsp_kernel_yyparse (parser);
  rsp_kernel_scan_end (&parser->base.scan);
  return status == 0 && rsp_diagnostics_count_errors (parser->base.diagnostics) == errors;
}

/* How far the text has been looked through for comments of several lines. */
typedef struct Comments {
  const char *at, *open; /* open: where one begins that has not ended; NULL: none */
} Comments;

/* Is there such a comment around the beginning of a line? To be asked of later and later lines. */
static gboolean is_in_comment (Comments *comments, const char *line) {
  const char *c = comments->at;
  for (; c < line; c++)
    if (comments->open && c[0] == '*' && c[1] == '/' && c > comments->open + 1)
      comments->open = NULL;
    else if (!comments->open && c[0] == '/' && c[1] == '*')
      comments->open = c;
    else if (!comments->open && c[0] == '/' && c[1] == '/')
      c += strcspn (c, "\n");
    else if (!comments->open && c[0] == '"')
      for (c++; *c && *c != '"' && *c != '\n'; c++)
        c += c[0] == '\\' && c[1];
  comments->at = c;
  return comments->open != NULL;
}

/* Reports misspelt assertions; other tools have annotations of their own. */
static void report_annotation (RspSource *source, const char *line, RspDiagnostics *diagnostics) {
  static const char *const words[] = { "assert", NULL };
  const char *begin = line + strlen (KERNEL_ANNOTATION);
  begin += strspn (begin, " \t");
  guint at = (guint) (line - source->text);
  g_autofree char *word = g_ascii_strdown (begin, (gssize) strcspn (begin, " \t\r\n(!"));
  RspSpan span = { source, at, (guint) (begin - source->text) + (guint) strlen (word) };
  if (g_str_has_prefix (begin, "&&") || g_str_has_prefix (begin, "||"))
    rsp_error (diagnostics, span, "an assertion goes on if its line ends with `\\`",
               "expected `//@ assert`");
  else if (rsp_nearest (word, words))
    rsp_error (diagnostics, span, "did you mean `//@ assert`?", "`//@ %.*s` is not checked",
               (int) strlen (word), begin);
}

/* The preprocessor removes an assertion behind other text as a comment. */
static void check_places (RspSource *source, RspDiagnostics *diagnostics) {
  Comments comments = { .at = source->text };
  for (const char *at = source->text; (at = strstr (at, KERNEL_ANNOTATION)); at++) {
    const char *asserted = rsp_kernel_assertion (at), *line = at;
    while (line > source->text && (line[-1] == ' ' || line[-1] == '\t'))
      line--;
    gboolean alone = line == source->text || line[-1] == '\n';
    if (!asserted || alone || is_in_comment (&comments, at) || comments.at > at)
      continue;
    const RspSpan span = { source, (guint) (at - source->text), (guint) (asserted - source->text) };
    rsp_error (diagnostics, span, "write it on a line of its own",
               "an assertion behind other text is not checked");
  }
}

/* `//@ assert x[0] == 1` at the beginning of a line. */
static gboolean parse_asserts (KernelUnit *unit, RspSource *source, RspArena *arena,
                               RspDiagnostics *diagnostics) {
  Comments comments = { .at = source->text };
  for (guint i = 0; i < source->n_lines; i++) {
    const char *line = source->text + source->lines[i];
    line += strspn (line, " \t");
    if (!g_str_has_prefix (line, KERNEL_ANNOTATION) || is_in_comment (&comments, line))
      continue;
    const char *asserted = rsp_kernel_assertion (line);
    if (!asserted) {
      report_annotation (source, line, diagnostics);
      continue;
    }
    guint begin = (guint) (asserted - source->text);
    RspSpan span = { source, begin, begin + (guint) strcspn (source->text + begin, "\r\n") };
    KernelParser parser
        = { .base = { .arena = arena, .source = source, .diagnostics = diagnostics },
            .unit = unit,
            .only_expression = TRUE };
    rsp_kernel_scan_begin (&parser.base.scan, span, arena, diagnostics);
    if (!run_grammar (&parser))
      return FALSE;
    unit->asserts = rsp_litmus_append (&parser.base, unit->asserts, parser.expression);
  }
  return TRUE;
}

static gboolean parse_unit (KernelUnit *unit, RspSource *text, RspArena *arena,
                            RspDiagnostics *diagnostics) {
  KernelParser parser
      = { .base = { .arena = arena, .source = text, .diagnostics = diagnostics }, .unit = unit };
  rsp_kernel_scan_begin (&parser.base.scan, (RspSpan){ text, 0, (guint) text->length }, arena,
                         diagnostics);
  return run_grammar (&parser);
}

/* Types of OpenCL C that are integers under another name. */
static void add_types (KernelUnit *unit) {
  static const char *const names[] = { "memory_order", "memory_scope", "cl_mem_fence_flags" };
  static const KernelType number
      = { .kind = KERNEL_INTEGER, .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_hash_table_insert (unit->typedefs, (gpointer) names[i], (gpointer) &number);
}

static void begin_unit (KernelUnit *unit) {
  *unit = (KernelUnit){ .typedefs = g_hash_table_new (g_str_hash, g_str_equal),
                        .hidden = g_hash_table_new (g_str_hash, g_str_equal),
                        .structs = g_hash_table_new (g_str_hash, g_str_equal) };
  add_types (unit);
}

static void end_unit (KernelUnit *unit) {
  g_hash_table_unref (unit->typedefs);
  g_hash_table_unref (unit->hidden);
  g_hash_table_unref (unit->structs);
}

static void read_program (RspKernel *kernel, const RspKernelOptions *options,
                          RspDiagnostics *diagnostics) {
  RspSource *text = kernel->program->source;
  RspArena *arena = kernel->program->arena;
  KernelUnit unit;
  begin_unit (&unit);
  if (parse_unit (&unit, text, arena, diagnostics)
      && parse_asserts (&unit, text, arena, diagnostics))
    kernel_resolve (kernel, &unit, options, diagnostics);
  end_unit (&unit);
}

/* Reads the source, whose text after the preprocessor is `text`; takes both. NULL after an error.
 */
static RspKernel *read_kernel (RspSource *source, RspSource *text, const RspKernelOptions *options,
                               RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  RspArena *arena = rsp_arena_new ();
  RspKernel *kernel = rsp_arena_new0 (arena, RspKernel, 1);
  kernel->program = rsp_arena_new0 (arena, RspProgram, 1);
  kernel->program->arena = arena;
  kernel->program->source = text;
  kernel->file = source;
  kernel->built_in = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  check_places (source, diagnostics);
  read_program (kernel, options, diagnostics);
  if (rsp_diagnostics_count_errors (diagnostics) > errors)
    g_clear_pointer (&kernel, rsp_kernel_free);
  return kernel;
}

/* Pipes and devices are not: they end, or block, when they are read again. */
static gboolean can_be_read_again (const char *path) {
  return g_file_test (path, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_DIR)
         || (!g_str_equal (path, "-") && !g_file_test (path, G_FILE_TEST_EXISTS));
}

RspKernel *rsp_kernel_read (const char *path, const RspKernelOptions *options,
                            RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  if (!options->text && !can_be_read_again (path)) {
    rsp_error (diagnostics, RSP_NOWHERE, "write the kernel to a file",
               "%s: is not a file: kernels are read several times", path);
    return NULL;
  }
  RspSource *source = options->text
                          ? rsp_source_new (path, g_strdup (options->text), strlen (options->text))
                          : rsp_source_read_within (path, MAX_LENGTH, &error);
  if (!source) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    return NULL;
  }
  RspSource *text
      = kernel_preprocess (source, options->text != NULL, options->preprocessing, diagnostics);
  if (text)
    return read_kernel (source, text, options, diagnostics);
  rsp_source_unref (source);
  return NULL;
}

/* ---- Checking ---- */
/* The names of the kernels, as far as the text can be read; owned. */
static GPtrArray *entries_of (RspSource *text) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  RspArena *arena = rsp_arena_new ();
  KernelUnit unit;
  begin_unit (&unit);
  parse_unit (&unit, text, arena, unread);
  for (guint i = 0; i < unit.functions.n; i++) {
    const KernelFunction *function = unit.functions.items[i];
    if (function->is_kernel && function->name)
      g_ptr_array_add (names, g_strdup (function->name));
  }
  end_unit (&unit);
  rsp_arena_free (arena);
  return names;
}

void rsp_kernel_check (const char *path, const char *text, RspDiagnostics *diagnostics) {
  RspSource *source = rsp_source_new (path, g_strdup (text), strlen (text)),
            *expanded = kernel_preprocess (source, TRUE, NULL, diagnostics);
  g_autoptr (GPtrArray) entries = expanded ? entries_of (expanded) : NULL;
  for (guint i = 0;
       entries && i < MAX (1, entries->len) && rsp_diagnostics_count_errors (diagnostics) == 0;
       i++) {
    RspKernelOptions options
        = { .lenient = TRUE, .entry = entries->len ? entries->pdata[i] : NULL };
    rsp_grid_parse ("1x2", &options.grid);
    rsp_kernel_free (
        read_kernel (rsp_source_ref (source), rsp_source_ref (expanded), &options, diagnostics));
  }
  rsp_diagnostics_drop (diagnostics, RSP_WARNING); /* they are about the grid */
  rsp_source_unref (source);
  if (expanded)
    rsp_source_unref (expanded);
}

/* ---- Names ---- */
static int compare_names (gconstpointer a, gconstpointer b) {
  guint x = ((const RspKernelName *) a)->begin, y = ((const RspKernelName *) b)->begin;
  return (x > y) - (x < y);
}

GArray *rsp_kernel_names (RspSource *text, GHashTable *types, GHashTable *macros, RspArena *arena) {
  static const KernelType number
      = { .kind = KERNEL_INTEGER, .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  KernelUnit unit;
  begin_unit (&unit);
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, types);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_hash_table_insert (unit.typedefs, name, (gpointer) &number);
  KernelParser parser = { .base = { .arena = arena, .source = text, .diagnostics = unread },
                          .unit = &unit,
                          .names = g_array_new (FALSE, FALSE, sizeof (RspKernelName)),
                          .macros = macros };
  rsp_kernel_scan_begin (&parser.base.scan, (RspSpan){ text, 0, (guint) text->length }, arena,
                         unread);
  run_grammar (&parser);
  end_unit (&unit);
  g_array_sort (parser.names, compare_names);
  return parser.names;
}

void rsp_kernel_free (RspKernel *kernel) {
  if (!kernel)
    return;
  rsp_source_unref (kernel->file);
  g_ptr_array_unref (kernel->built_in);
  rsp_program_free (kernel->program); /* its arena holds the kernel */
}
