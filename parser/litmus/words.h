/* The litmus language's words: look-up in the tables of words.def. */
#pragma once

#include "parser/program.h"

typedef enum LitmusTypeKind {
  LITMUS_TYPE_PLAIN,
  LITMUS_TYPE_SIZE,
  LITMUS_TYPE_SIGN,
  LITMUS_TYPE_NAMED,
  LITMUS_TYPE_ATOMIC,
  LITMUS_TYPE_QUALIFIER,
  LITMUS_TYPE_SPACE,
  LITMUS_TYPE_FOREIGN
} LitmusTypeKind;

/* Bits of a set of qualifiers. */
typedef enum LitmusQualifier {
  LITMUS_VOLATILE = 1,
  LITMUS_CONST = 2,
  LITMUS_RESTRICT = 4,
  LITMUS_ATOMIC = 8
} LitmusQualifier;

typedef struct LitmusTypeWord {
  const char *word;
  LitmusTypeKind kind;
  guint value;
  gboolean flag;
  const char *spelling;
} LitmusTypeWord;

/* One form of a call: which arguments it takes, in the letters of words.def. */
typedef struct LitmusCallForm {
  RspCallKind kind;
  RspOperator op;
  gboolean weak;
  gboolean remote;
  const char *arguments;
} LitmusCallForm;

/* NULL if the word is unknown. */
const LitmusTypeWord *rsp_litmus_type_word (const char *word);

/* Each returns FALSE if the word is unknown. */
gboolean rsp_litmus_order_word (const char *word, RspOrder *order);
gboolean rsp_litmus_scope_word (const char *word, RspScope *scope);
gboolean rsp_litmus_flag_word (const char *word, guint *flag);
gboolean rsp_litmus_level_word (const char *word, RspLevel *level);
gboolean rsp_litmus_call_form (const char *name, LitmusCallForm *form);

/* "did you mean `…`?" among the words of one table, newly allocated, or NULL. */
char *rsp_litmus_order_hint (const char *word);
char *rsp_litmus_scope_hint (const char *word);
char *rsp_litmus_flag_hint (const char *word);
char *rsp_litmus_level_hint (const char *word);
char *rsp_litmus_call_hint (const char *name);
/* Words of operations that are not in the language, for rsp_did_you_mean_words. */
extern const char *const rsp_litmus_other_operations[];

/* Adds the names of all calls, newly allocated; brief: also herd's short ones. */
void rsp_litmus_add_calls (GPtrArray *names, gboolean brief);

/* The hint for a test that uses locks. */
#define LITMUS_LOCK_HINT                                                                           \
  "a lock is written with atomic operations: see litmus/steal/SPIN-dev.litmus"

/* Names of orders, scopes and spaces as OpenCL C spells them ("memory_order_acquire", …). */
const char *rsp_order_name (RspOrder order);
const char *rsp_scope_name (RspScope scope);
