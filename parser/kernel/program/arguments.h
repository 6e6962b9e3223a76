#pragma once

#include "parser/kernel/lower/lower.h"

/* What -arg says about a parameter. */
typedef struct KernelArgument {
  gboolean given, sized;
  guint n_elements;
  char **values; /* NULL-terminated; "zero" for 0 */
  guint n_values;
} KernelArgument;

void kernel_argument_clear (KernelArgument *argument);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KernelArgument, kernel_argument_clear)

/* Reports arguments that cannot be read, or that the kernel does not have. */
void kernel_check_arguments (KernelLowerer *l);
/* The last one of the parameter's name. */
void kernel_find_argument (KernelLowerer *l, const KernelVariable *parameter,
                           KernelArgument *argument);
/* One of its values, for a cell of the type; FALSE, with an error, if the text is no number. */
gboolean kernel_read_number (KernelLowerer *l, const KernelVariable *parameter, const char *text,
                             const KernelType *type, gint64 *value);
