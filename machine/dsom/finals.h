/* Final states: the values of the program's observables as text, and whether the condition holds.
 * Private to this folder. */
#pragma once

#include "machine/dsom/plan/evaluate.h"

typedef struct DsomFinals {
  const RspDsomProgram *program;
  GPtrArray *list;  /* of DsomValue *, one per observable: distinct */
  GHashTable *keys; /* their texts without `moved` */
  GHashTable *texts;
} DsomFinals;

DsomFinals *dsom_finals_new (const RspDsomProgram *program);
void dsom_finals_free (DsomFinals *finals);
void dsom_finals_add (DsomFinals *finals, const DsomValue *values);
/* In the order of their values. */
void dsom_finals_sort (DsomFinals *finals);
/* Is there one that differs at most in the bytes moved? */
gboolean dsom_finals_has (const DsomFinals *finals, const DsomValue *values);

/* "r=1; b[0]=?;", with or without `moved`. Newly allocated. */
char *dsom_values_format (const RspDsomProgram *program, const DsomValue *values, gboolean moved);
gboolean dsom_values_satisfy (const RspDsomProgram *program, const DsomValue *values);
