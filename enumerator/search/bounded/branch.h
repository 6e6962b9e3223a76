#pragma once

#include "enumerator/search/bounded/values/observe.h"

/* What to try next. The alternatives of a choice are disjoint and cover all cases. */
typedef enum ChoiceKind {
  CHOICE_NONE,  /* everything is decided */
  CHOICE_READ,  /* event reads from each of the set in turn */
  CHOICE_SPLIT, /* event reads from `other`, or does not */
  CHOICE_NEXT,  /* each of the set in turn comes before all others of `rest` in a leaf's order */
  CHOICE_PAIR   /* in a leaf's partial order event `read` comes before `other`, or does not */
} ChoiceKind;

typedef struct Choice {
  ChoiceKind kind;
  guint read;    /* CHOICE_READ, CHOICE_SPLIT: the read; CHOICE_PAIR: the first of the pair */
  guint other;   /* CHOICE_SPLIT: the write; CHOICE_PAIR: the second of the pair */
  guint leaf;    /* CHOICE_NEXT, CHOICE_PAIR */
  guint64 *set;  /* the alternatives */
  guint64 *rest; /* CHOICE_NEXT: the elements still to be ordered, alternatives included */
} Choice;

/* set and rest are the caller's, of s->words words each. CHOICE_SPLIT and CHOICE_PAIR have two
 * alternatives, `other` and `read`: one of them stands for "not" (SPLIT: read, PAIR: other). */
void branch_choose (Searcher *s, const Observed *observed, Choice *choice);
gboolean branch_take (Searcher *s, const Choice *choice, guint alternative);
/* The alternatives of a choice, first to last; helpers use other orders, so that searchers meet in
 * the memo rather than at every node. Returns their number; alternatives has room for all. */
guint branch_line_up (const Searcher *s, const Choice *choice, guint *alternatives);
