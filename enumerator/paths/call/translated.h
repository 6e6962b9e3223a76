/* The events of a program that is translated from another language (parser/translation.h). Its
 * accesses and barriers take the tags of the instructions that they become, with fences around
 * them. */
#pragma once

#include "enumerator/paths/executor.h"
#include "parser/translation.h"

/* What an operation becomes; NULL if the program is not translated, or if the mapping has no row
 * for it, which is reported. In a language without scopes an operation has the widest. */
const RspSequence *translated_find (RspExecutor *x, RspMapped mapped, RspSpan span);
/* Gives the event of an instruction its tags, and none of the source's order and scope. */
void translated_set (RspEvent *event, const RspTranslated *instruction, guint64 tags);
/* Appends the fences before the sequence's access or barrier, or those after it. NULL: there are
 * none. */
void translated_before (RspExecutor *x, RspState *state, const RspSequence *sequence, RspSpan span);
void translated_after (RspExecutor *x, RspState *state, const RspSequence *sequence, RspSpan span);
