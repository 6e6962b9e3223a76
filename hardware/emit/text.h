#pragma once

#include "hardware/emit/emit.h"

/* "int32_t", "global int32_t *" */
char *emit_type_text (const Emitter *e, const RspType *type);
/* A name of letters, digits and `_`, from any text: for comments and the ends of names. */
char *emit_plain_name (const char *name);
/* A string of C, in quotes: anything in it is data. */
void emit_string (const char *text, GString *out);
/* "x3_x", "r0_r0" */
char *emit_location_name (const Emitter *e, guint object);
char *emit_register_name (const Emitter *e, guint reg);
/* The address of an object, by the target's macros. */
char *emit_object (const Emitter *e, guint object);
/* A value of a location or register in the initial state. */
char *emit_initial (const Emitter *e, const RspType *type, gint64 value);

/* `value` as a word of a result: an address as the number of its location. */
char *emit_result (const Emitter *e, const RspType *type, const char *value);

/* Newly allocated. */
char *emit_fill (const char *text, const Filling *fillings, guint n);
/* Lines, with what goes before them. */
void emit_line (Emitter *e, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The block that follows an `if`: the instance is dropped, and the thread ends. */
void emit_end_early (Emitter *e);
