/* The numbers that the values of a program in columns may be. */
#pragma once

#include "parser/program.h"

/* The numbers in the program and those that its operations make of them, where each round of a loop
 * counts (of gint64; free with g_array_unref). *complete: are these all? There may be too many.
 * Values that justify each other in a cycle may be others. */
GArray *program_numbers (const RspProgram *program, guint unroll, gboolean *complete);
