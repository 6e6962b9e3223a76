/* What the parts of a program of commands share while its names are resolved. Private to this front
 * end. */
#pragma once

#include "parser/dsom/build.h"

typedef struct DsomResolver {
  DsomParser *parser;
  RspDsomProgram *program;
  RspDiagnostics *diagnostics;
  GHashTable *buffers;   /* name -> number + 1 */
  GHashTable *registers; /* likewise */
  GHashTable *kernels;
  GPtrArray *register_list; /* of RspDsomRegister, in the order of their numbers */
} DsomResolver;

/* The buffer's number; -1 after an error. */
int dsom_find_buffer (DsomResolver *resolver, RspSpan span, const char *name);
/* The number of a register, which a write to it declares. */
guint dsom_declare_register (DsomResolver *resolver, const char *name);
