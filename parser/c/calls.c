/* Atomic operations, fences and barriers: their arguments by the forms of parser/litmus/words.def,
 * and which orders C11 allows where (C11 7.17.7; OpenCL C 2.0, 6.13.11). */
#include "parser/c/c.h"

#include <string.h>

/* ---- Words and numbers ---------------------------------------------------------------------- */

/* In OpenCL C, a scope is a number: its index here. */
static const RspScope scopes[] = { RSP_SCOPE_WORK_ITEM, RSP_SCOPE_WORK_GROUP, RSP_SCOPE_DEVICE,
                                   RSP_SCOPE_ALL, RSP_SCOPE_SUB_GROUP };

/* What each bit of flags stands for. */
static const guint memories[] = { RSP_FENCE_LOCAL, RSP_FENCE_GLOBAL, RSP_FENCE_IMAGE };

gboolean c_number_of_word (const char *word, gint64 *number) {
  RspOrder order;
  RspScope scope;
  guint flag;
  if (rsp_litmus_order_word (word, &order))
    *number = (gint64) order - RSP_ORDER_RELAXED;
  else if (rsp_litmus_flag_word (word, &flag)) {
    for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
      if (memories[i] == flag)
        *number = 1 << i;
  } else if (rsp_litmus_scope_word (word, &scope)) {
    for (gsize i = 0; i < G_N_ELEMENTS (scopes); i++)
      if (scopes[i] == scope)
        *number = (gint64) i;
  } else
    return FALSE;
  return TRUE;
}

static const char *word_of (const CExpr *argument) {
  return argument->kind == C_NAME ? argument->name : NULL;
}

static void report_word (const CCall *c, const CExpr *argument, const char *expected, char *hint) {
  g_autofree char *owned = hint;
  const char *word = word_of (argument);
  if (word)
    rsp_error (c->diagnostics, argument->span, owned, "found `%s`, expected %s", word, expected);
  else
    rsp_error (c->diagnostics, argument->span, owned, "found an expression, expected %s", expected);
}

/* is_main: not that of a failing compare-exchange. */
static RspOrder read_order (CCall *c, const CExpr *argument, gboolean is_main) {
  const char *word = word_of (argument);
  RspOrder order = RSP_ORDER_SEQ_CST;
  gint64 number = 0;
  gboolean known = c->constant ? c->constant (c, argument, &number) && number >= 0
                                     && number <= RSP_ORDER_SEQ_CST - RSP_ORDER_RELAXED
                               : word && rsp_litmus_order_word (word, &order);
  const char *own = word && !known && is_main ? rsp_litmus_own_word (word, FALSE) : NULL;
  if (known && c->constant)
    order = (RspOrder) (RSP_ORDER_RELAXED + number);
  if (own) {
    /* An order of a model is a word of a relaxed operation. */
    g_autofree char *hint = rsp_litmus_order_hint (word),
                    *wrong = g_strdup_printf ("found `%s`, which is not a memory order", word);
    c->call->words |= rsp_words_say (c->words, c->arena, own, rsp_call_place (c->call->kind),
                                     c->call->words, argument->span, c->diagnostics);
    rsp_words_doubt (c->words, c->arena, argument->span, wrong, hint);
    order = RSP_ORDER_RELAXED;
  } else if (!known)
    report_word (c, argument, "a memory order", word ? rsp_litmus_order_hint (word) : NULL);
  else if (order == RSP_ORDER_CONSUME && !c->is_c)
    rsp_error (c->diagnostics, argument->span, NULL,
               "found `%s`, which OpenCL does not have: expected a memory order",
               word ? word : "memory_order_consume");
  return order;
}

static RspScope read_scope (CCall *c, const CExpr *argument) {
  const char *word = word_of (argument);
  RspScope scope = RSP_SCOPE_DEVICE;
  gint64 number;
  if (!c->constant && word && rsp_litmus_scope_word (word, &scope))
    return scope;
  if (c->constant && c->constant (c, argument, &number) && number >= 0
      && number < (gint64) G_N_ELEMENTS (scopes))
    return scopes[number];
  const char *own = word && !c->is_c ? rsp_litmus_own_word (word, TRUE) : NULL;
  RspLevel level;
  guint32 bit = own ? rsp_words_say_level (c->words, c->arena, own, 0, RSP_N_LEVELS, argument->span,
                                           &level, c->diagnostics)
                    : 0;
  c->call->words |= bit;
  for (guint i = RSP_N_SCOPES; bit && i < RSP_N_ALL_SCOPES; i++)
    if (rsp_scopes[i].level == level)
      return (RspScope) i;
  if (own)
    return scope;
  report_word (c, argument, "a memory scope", word ? rsp_litmus_scope_hint (word) : NULL);
  return scope;
}

static gboolean is_flag_union (const CExpr *argument) {
  return argument->kind == C_BINARY && argument->op == RSP_OP_OR;
}

static gboolean is_flag (const CExpr *argument, guint *flags) {
  return argument->kind == C_NAME && rsp_litmus_flag_word (argument->name, flags);
}

static guint read_flag (CCall *c, const CExpr *item) {
  guint flags = 0;
  gint64 number = 0;
  if (is_flag (item, &flags))
    return flags;
  if ((c->constant && c->constant (c, item, &number))
      || (item->kind == C_NUMBER && item->number.value == 0)) {
    for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
      flags |= number & (1 << i) ? memories[i] : 0;
    return flags;
  }
  const char *word = word_of (item);
  report_word (c, item, "fence flags such as `CLK_GLOBAL_MEM_FENCE`",
               word ? rsp_litmus_flag_hint (word) : NULL);
  return 0;
}

/* ---- Forms ---------------------------------------------------------------------------------- */

/* Does an operation of that form take n arguments? */
static gboolean takes (const char *form, guint n, guint *least, guint *most) {
  gboolean optional = FALSE;
  *least = *most = 0;
  for (; *form; form++)
    if (*form == '[' || *form == ']')
      optional = *form == '[';
    else {
      ++*most;
      *least += !optional;
    }
  return n >= *least && n <= *most;
}

static gboolean check_count (const CCall *c, const char *form) {
  guint least, most, n = c->syntax->args.n;
  if (takes (form, n, &least, &most))
    return TRUE;
  g_autofree char *expected = least == most       ? g_strdup_printf ("%u", most)
                              : least + 1 == most ? g_strdup_printf ("%u or %u", least, most)
                                                  : g_strdup_printf ("%u to %u", least, most);
  rsp_error (c->diagnostics, c->syntax->span, NULL, "found %u argument%s, expected %s for `%s`", n,
             n == 1 ? "" : "s", expected, c->call->name);
  return FALSE;
}

/* Reads the next argument as the kind that the letter denotes. */
static void take_argument (CCall *c, char letter) {
  const CExpr *argument = c->syntax->args.items[c->next];
  switch (letter) {
  case 'p':
    c->call->object = c->pointer (c, argument, TRUE);
    break;
  case 'e':
    c->call->expected = c->pointer (c, argument, FALSE);
    break;
  case 'c':
    c->call->expected = c->value (c, argument);
    break;
  case 'v':
    c->call->value = c->value (c, argument);
    break;
  case 'o':
    c->call->order = read_order (c, argument, TRUE);
    break;
  case 'f':
    c->call->failure = read_order (c, argument, FALSE);
    break;
  case 's':
    c->call->scope = read_scope (c, argument);
    break;
  default: {
    /* `CLK_…`, several joined by `|`, or a constant. Walks down the left of the union. */
    guint flags = 0;
    for (; is_flag_union (argument); argument = argument->a)
      flags |= read_flag (c, argument->b);
    c->call->flags = flags | read_flag (c, argument);
  }
  }
  c->next++;
}

/* Is there an argument for an optional letter? Flags look like flags. */
static gboolean has_optional (const CCall *c, char letter) {
  guint flag;
  if (c->next == c->syntax->args.n)
    return FALSE;
  const CExpr *argument = c->syntax->args.items[c->next];
  return letter != 'm' || is_flag_union (argument) || argument->kind == C_NUMBER
         || is_flag (argument, &flag);
}

gboolean c_take_arguments (CCall *c, const char *form) {
  gboolean optional = FALSE;
  if (!check_count (c, form))
    return FALSE;
  for (; *form; form++)
    if (*form == '[' || *form == ']')
      optional = *form == '[';
    else if (!optional || has_optional (c, *form)) {
      if (c->next == c->syntax->args.n) {
        rsp_error (c->diagnostics, c->syntax->span, NULL, "found too few arguments for `%s`",
                   c->call->name);
        return FALSE;
      }
      take_argument (c, *form);
    }
  if (c->next == c->syntax->args.n)
    return TRUE;
  report_word (c, c->syntax->args.items[c->next], "no more arguments", NULL);
  return FALSE;
}

/* ---- Words ---------------------------------------------------------------------------------- */

CAround c_begin_words (RspProgram *program, const CStatement *statement,
                       RspDiagnostics *diagnostics) {
  RspWords *words = &program->words;
  CAround around = { words->around, words->places_read };
  for (guint i = 0; i < statement->words.n; i++) {
    const LitmusPlace *word = statement->words.items[i];
    words->around
        |= rsp_words_say (words, program->arena, word->name, 0, 0, word->span, diagnostics);
    words->places_read = 0;
  }
  return around;
}

void c_end_words (RspProgram *program, const CStatement *statement, CAround around,
                  RspDiagnostics *diagnostics) {
  RspWords *words = &program->words;
  guint32 before = around.words;
  for (guint i = 0; i < statement->words.n; i++) {
    const LitmusPlace *word = statement->words.items[i];
    before |= rsp_words_say (words, program->arena, word->name, words->places_read, before,
                             word->span, diagnostics);
    if (!words->places_read)
      rsp_error (diagnostics, word->span,
                 "plain accesses and statements without an operation have no words",
                 "found `[[%s]]` in front of no atomic operation, fence or barrier", word->name);
  }
  words->around = around.words;
  words->places_read |= around.places;
}

/* ---- Operations ----------------------------------------------------------------------------- */

void c_begin_call (CCall *c, RspArena *arena, const CExpr *syntax, RspCallKind kind) {
  const LitmusList arguments = syntax->args;
  c->syntax = syntax;
  c->arena = arena;
  c->call = rsp_arena_new0 (arena, RspCall, 1);
  c->call->kind = kind;
  c->call->order = c->call->failure = RSP_ORDER_SEQ_CST;
  c->call->scope = RSP_SCOPE_DEVICE;
  c->call->flags = kind == RSP_CALL_FENCE ? RSP_FENCE_GLOBAL | RSP_FENCE_LOCAL : 0;
  c->call->words = c->words->around;
  c->words->places_read |= rsp_call_place (kind);
  c->call->name = syntax->a->name;
  c->call->n_arguments = arguments.n;
  c->call->arguments = rsp_arena_new0 (arena, RspSpan, arguments.n + 1);
  for (guint i = 0; i < arguments.n; i++)
    c->call->arguments[i] = ((const CExpr *) arguments.items[i])->span;
}

gboolean c_begin_operation (CCall *c, RspArena *arena, const CExpr *syntax, const char **form) {
  LitmusCallForm found;
  guint least, most;
  if (!rsp_litmus_call_form (syntax->a->name, &found)
      || (found.is_doubtful && !takes (found.arguments, syntax->args.n, &least, &most)))
    return FALSE;
  c_begin_call (c, arena, syntax, found.kind);
  c->call->op = found.op;
  if (rsp_call_is_unless (found.kind))
    c->call->order = c->call->failure = RSP_ORDER_RELAXED;
  c->call->weak = found.weak;
  if (found.word) {
    RspSpan span = syntax->a->span;
    if (span.end - span.begin == strlen (syntax->a->name)) /* and not a macro's */
      span.begin = span.end - (guint) strlen (found.word);
    c->call->words |= rsp_words_say (c->words, arena, found.word, rsp_call_place (found.kind),
                                     c->call->words, span, c->diagnostics);
    if (found.is_doubtful) {
      g_autofree char *hint = rsp_litmus_call_hint (syntax->a->name),
                      *wrong = g_strdup_printf ("found a call to `%s`, which is not an operation "
                                                "that tests may use",
                                                syntax->a->name);
      rsp_words_doubt (c->words, arena, span, wrong, hint);
    }
  }
  *form = found.arguments;
  return TRUE;
}

CResult c_call_result (RspCallKind kind) {
  switch (kind) {
  case RSP_CALL_LOAD:
  case RSP_CALL_FETCH:
  case RSP_CALL_FETCH_UNLESS:
  case RSP_CALL_SWAP:
    return C_RESULT_CONTENT;
  case RSP_CALL_CAS:
  case RSP_CALL_UNLESS:
  case RSP_CALL_FLAG_TEST_AND_SET:
    return C_RESULT_BOOL;
  case RSP_CALL_STORE:
  case RSP_CALL_REDUCE:
  case RSP_CALL_FENCE:
  case RSP_CALL_FLAG_CLEAR:
  case RSP_CALL_INIT:
  case RSP_CALL_COPY:
  case RSP_CALL_WAIT:
  case RSP_CALL_PHASE:
  case RSP_CALL_TEST:
    break;
  }
  return C_RESULT_NONE;
}

/* ---- Orders --------------------------------------------------------------------------------- */

static gboolean one_of (RspOrder order, RspOrder a, RspOrder b) { return order == a || order == b; }

/* Is `failure` no stronger than `success`? acquire and release cannot be compared. */
static gboolean failure_allowed (RspOrder failure, RspOrder success) {
  gboolean acquires = success == RSP_ORDER_ACQUIRE || success == RSP_ORDER_ACQ_REL
                      || success == RSP_ORDER_SEQ_CST;
  switch (failure) {
  case RSP_ORDER_RELAXED:
    return TRUE;
  case RSP_ORDER_CONSUME:
    return acquires || success == RSP_ORDER_CONSUME;
  case RSP_ORDER_ACQUIRE:
    return acquires;
  default:
    return success == RSP_ORDER_SEQ_CST;
  }
}

/* Why C11 forbids the operation's orders, and which of them; NULL: it does not. */
static const char *order_mistake (const RspCall *call, RspOrder *order) {
  *order = call->order;
  switch (call->kind) {
  case RSP_CALL_LOAD:
    return one_of (*order, RSP_ORDER_RELEASE, RSP_ORDER_ACQ_REL) ? "C11 has no load that releases"
                                                                 : NULL;
  case RSP_CALL_REDUCE:
    return one_of (*order, RSP_ORDER_ACQUIRE, RSP_ORDER_ACQ_REL) || *order == RSP_ORDER_CONSUME
               ? "C++26 has no reduction that acquires"
               : NULL;
  case RSP_CALL_STORE:
  case RSP_CALL_FLAG_CLEAR:
    return one_of (*order, RSP_ORDER_ACQUIRE, RSP_ORDER_ACQ_REL) || *order == RSP_ORDER_CONSUME
               ? "C11 has no store that acquires"
               : NULL;
  case RSP_CALL_CAS:
    *order = call->failure;
    if (one_of (*order, RSP_ORDER_RELEASE, RSP_ORDER_ACQ_REL))
      return "a failed compare-exchange is a load, which cannot release";
    return failure_allowed (*order, call->order)
               ? NULL
               : "the failure order is stronger than the success order";
  default:
    return NULL;
  }
}

void c_check_orders (const CCall *c, RspSeverity severity) {
  RspOrder order;
  const char *mistake = order_mistake (c->call, &order);
  if (!mistake)
    return;
  rsp_report (c->diagnostics, severity, c->syntax->span, NULL, "`%s` with `%s`: %s", c->call->name,
              rsp_order_name (order), mistake);
  rsp_diagnostics_set_kind (c->diagnostics, mistake);
}
