/* Propositions: their truth and their text. */
#pragma once

#include "base/truth.h"
#include "parser/program.h"

typedef RspTruth (*RspAtomTruth) (const RspProp *atom, gpointer data);

/* In the arena. */
RspProp *rsp_prop_new (RspArena *arena, RspPropKind kind, RspSpan span, RspProp *a, RspProp *b);
/* The truth of a proposition by that of its atoms. */
RspTruth rsp_prop_truth (const RspProp *prop, RspAtomTruth atom, gpointer data);

/* A proposition as the log prints it: "2:r0=1 /\\ not (x=2)". Appends to out. */
void rsp_prop_format (const RspProp *prop, GString *out);
/* The quantifier and the proposition: "exists (2:r0=1 /\\ not (x=2))". Newly allocated. */
char *rsp_condition_format (RspQuantifier quantifier, const RspProp *prop, const char *negation);
