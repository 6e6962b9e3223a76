/* Targets as data: what each operation is, by order and scope, as text.
 *
 * Texts have places that are filled in: $T the object's type, $Q its address space, $P its address,
 * $V the value, $E the expected value, $O the order, $F the order on failure, $S the scope, $X
 * where a failing compare-exchange writes what it found. */
#pragma once

#include "hardware/hardware.h"

typedef enum Operation {
#define OPERATION(id, cuda, c11, opencl) OPERATION_##id,
#include "hardware/operations.def"
  N_OPERATIONS
} Operation;

/* How sources become a program. */
typedef struct Build {
  const char *variable, *compiler; /* of the environment; without it, this one */
  const char *flags_variable, *flags;
  const char *always; /* flags that stay whatever the variable says */
  const char *libraries;
  const char *missing; /* what to do if the compiler is missing */
} Build;

typedef struct Target {
  const char *operations[N_OPERATIONS]; /* texts with $T and so on */
  const char *orders[RSP_ORDER_SEQ_CST + 1];
  const char *scopes[RSP_N_SCOPES];
  const char *spaces[RSP_SPACE_PRIVATE + 1];
  const char *nowhere;   /* $X of a compare-exchange that writes nothing */
  const char *extension; /* of the files of tests and of main */
  const char *head;      /* what a file of tests begins with */
  Build build;
  const struct TargetFile *files; /* in addition to the tests, ended by a NULL name */
  guint least_bits;               /* of an atomic object */
  gboolean quoted;                /* the device's code is a string of the host's */
} Target;

typedef struct TargetFile {
  const char *name, *text;
  const char *string; /* what holds the text is a string of that name; NULL for the text itself */
} TargetFile;

const Target *target_get (RspTarget target);
/* The operation of a fetch call. */
Operation target_fetch (RspOperator op);
/* The order as the operation takes it: without what a load or a store cannot have, and acquire
 * instead of consume. */
RspOrder target_order (Operation operation, RspOrder order);

/* ---- Files of templates/, made part of the program by the Makefile ---- */

extern const char template_suite_h[], template_parameters_h[], template_cuda_h[], template_c11_h[],
    template_opencl_h[], template_opencl_kernel_h[];
