/* A language's alphabet of operations, for programs that are searched: its words by order, scope
 * and proxy, as options, names and tests have them. */
#pragma once

#include "parser/columns/instruction.h"
#include "synth/programs/space.h"

typedef struct SynthAlphabet {
  const char *const *orders;  /* per RspOrder; "": it has none. A NULL ends each list */
  const char *const *scopes;  /* per RspScope */
  const char *const *proxies; /* per RspLabel.remote: by what the access is made, or which fence */
  const char *trees, *no_trees; /* which scope trees there are; only where `tagged` */
  guint orders_of[SYNTH_KINDS]; /* where `tagged`, a barrier without an order is relaxed */
  guint scoped;                 /* the orders that have a scope; of instructions by proxy */
  /* Only where `tagged`: instructions by proxy, before the order; or whole ones by order, with $S
   * for the scope. NULL: there is none. */
  const char *const *forms[SYNTH_KINDS], *const *patterns[SYNTH_KINDS];
} SynthAlphabet;

const SynthAlphabet *synth_alphabet (RspLanguageId language);
/* Only where `tagged`: do operations of this order have a scope? */
gboolean synth_has_scope (const SynthAlphabet *alphabet, SynthKind kind, guint order);

/* In languages with tags: "ld.acquire.gpu", "fence.proxy.texture". Newly allocated. */
char *synth_instruction (RspLanguageId language, SynthKind kind, const RspLabel *label);
/* The same with what it means; FALSE if the language has no such instruction. */
gboolean rsp_synth_decode (RspLanguageId language, SynthKind kind, const RspLabel *label,
                           ColumnsInstruction *instruction);
/* A label of a language with tags; tags are 0 if there is no such instruction. */
RspLabel synth_tagged_label (RspLanguageId language, SynthKind kind, guint order, guint scope,
                             guint proxy);
