#ifndef RSP_HARDWARE_EMIT_QUESTION_H
#define RSP_HARDWARE_EMIT_QUESTION_H

#include "hardware/emit/emit.h"

void emit_question (Emitter *e);
void emit_table (Emitter *e, const char *note);

#endif
