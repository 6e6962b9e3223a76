/* Running a kernel's body on one memory. */
#pragma once

#include "parser/dsom/program.h"

/* A byte of memory, or DSOM_GARBAGE: nobody has written it here, and its value can be anything. */
typedef guint16 DsomByte;
#define DSOM_GARBAGE ((DsomByte) 0x100)

typedef struct DsomValue {
  gint64 value;
  gboolean garbage;
} DsomValue;

/* Bits: accesses to a byte or register. Reading a value that the kernel itself has written does not
 * count. */
enum { DSOM_READ = 1, DSOM_WRITTEN = 2 };

typedef enum DsomFault {
  DSOM_FINE,
  DSOM_WILD,    /* a condition, an index or a divisor is garbage */
  DSOM_OUTSIDE, /* of a buffer */
  DSOM_DIVISION /* by zero */
} DsomFault;

typedef struct DsomMemory {
  const RspDsomProgram *program;
  DsomByte *bytes;      /* of all buffers, one after another; written in place */
  DsomValue *registers; /* likewise */
  guint8 *byte_uses;    /* bits per byte */
  guint8 *register_uses;
  DsomFault fault;       /* the fault that ended the kernel early */
  RspSpan where;         /* of a fault */
  const guint8 *allowed; /* NULL, or per byte the declared DSOM_READ and DSOM_WRITTEN bits */
  gboolean undeclared;   /* has an undeclared access occurred? */
  guint undeclared_use;  /* its bit */
  RspSpan undeclared_at; /* the place of the first one */
} DsomMemory;

/* Runs the body to its end, or to a fault. */
void dsom_evaluate (const RspDsomKernel *kernel, DsomMemory *memory);

/* An element; garbage if one of its bytes is. */
DsomValue dsom_element_load (const RspDsomBuffer *buffer, guint element, const DsomByte *bytes);
void dsom_element_store (const RspDsomBuffer *buffer, guint element, DsomByte *bytes,
                         DsomValue value);
