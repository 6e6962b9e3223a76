/* A mapping's rows as a machine executes them: instructions with numbers of levels. */
#pragma once

#include "enumerator/paths/path.h"
#include "parser/map/tree.h"

typedef struct RspInstruction {
  RspMapKind kind;
  guint8 level;  /* from inside out; the number of levels is global memory */
  gboolean bare; /* no level was named */
  RspMapReach reach;
  guint8 locks;
  guint8 counted;  /* WAIT */
  gboolean joined; /* one step with the next */
} RspInstruction;

typedef struct RspCode {
  RspInstruction *instructions;
  guint n;
  const RspMapRow *row; /* NULL for the two below */
} RspCode;

enum {
  RSP_CODE_DIRECT, /* one access of memory: for local memory, outside the caches */
  RSP_CODE_NONE,   /* no instruction: for fences that are not on global memory */
  RSP_CODE_FIRST   /* the mapping's first row */
};

typedef struct RspCodes {
  const RspMap *map;
  GArray *codes; /* of RspCode */
  guint n_levels;
  gboolean counted; /* does the machine count outstanding accesses? */
} RspCodes;

/* levels: names from inside out, NULL-terminated; "MEM" follows the last. NULL if the mapping names
 * any other level, or an instruction that the machine does not have, which is reported in
 * diagnostics. map must outlive the result. */
RspCodes *rsp_codes_new (const RspMap *map, const char *const *levels, const char *machine,
                         gboolean counted, RspDiagnostics *diagnostics);
void rsp_codes_free (RspCodes *codes);

/* The number of the code of an event, or -1 if the mapping does not have a row for it. */
int rsp_codes_find (const RspCodes *codes, const RspProgram *program, const RspEvent *event);
/* A description of an event, for messages about a missing row. Newly allocated. */
char *rsp_codes_describe (const RspEvent *event);
/* The beginning of a row for it: "store rel dev". Newly allocated. */
char *rsp_codes_format_head (const RspEvent *event);

static inline const RspCode *rsp_code (const RspCodes *codes, guint number) {
  return &g_array_index (codes->codes, RspCode, number);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspCodes, rsp_codes_free)
