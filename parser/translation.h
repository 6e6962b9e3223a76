/* Translations: what each operation of a test becomes in another language of tests, by a mapping
 * whose rows have instructions of that language. A program that has a translation is one of the
 * target language: its statements are the source's, and its events those of the instructions.
 *
 * Mappings: docs/compile.md. */
#pragma once

#include "parser/map/map.h"

#include "parser/map/map.h"

typedef struct RspTranslated {
  guint64 tags, write_tags; /* as in RspCall */
  RspLevel reach;
  gboolean arrives; /* a barrier's, as in RspBarrier */
} RspTranslated;

/* What one operation becomes: fences, and the access or barrier among them. */
typedef struct RspSequence {
  RspTranslated *instructions;
  guint n;
  guint main; /* number of the access or barrier; n: they are all fences */
  const RspMapRow *row;
  const char *text; /* "fence.sc.gpu; ld.acquire.gpu" */
} RspSequence;

/* An operation of the source. */
typedef struct RspMapped {
  RspMapOperation operation;
  RspOrder order;
  RspScope scope;
  const RspWords *all;
  guint32 words; /* those of `all` that it has */
  guint flags;   /* RSP_FENCE_… bits: the memory that it is about; 0: all */

  /* An instruction of a source language with tags has these instead of an order and a scope; else
   * NULL. */
  const RspSpelling *spelling;
  RspLevel reach;
} RspMapped;

typedef struct RspTranslation RspTranslation;

/* Decodes the rows of a mapping that has a target. NULL after an error. map must outlive it. */
RspTranslation *rsp_translation_new (const RspMap *map, RspDiagnostics *diagnostics);
void rsp_translation_free (RspTranslation *translation);

/* "a remote store at device scope", "`ld.acquire.gpu`", for messages. Newly allocated. */
char *rsp_mapped_describe (const RspTranslation *translation, const RspMapped *mapped);

/* NULL if the mapping has no row for it. */
const RspSequence *rsp_translation_find (const RspTranslation *translation,
                                         const RspMapped *mapped);

/* The program in the target language; it shares everything with program, which must outlive it. */
RspProgram rsp_translation_apply (const RspTranslation *translation, const RspProgram *program);

/* The memory that accesses to a location are about. */
static inline guint rsp_mapped_flags (const RspLocation *location) {
  return location->type.space == RSP_SPACE_LOCAL ? RSP_FENCE_LOCAL : RSP_FENCE_GLOBAL;
}

/* ---- Machines ---- */
/* What runs programs by a mapping to instructions of its own, which its maker knows more of. */
typedef struct RspMapMachine {
  const char *name;
  char *readings; /* the choices in which it differs from others of its name, in words */

  /* The final states of the program; full: of a search without reduction. */
  struct RspOutcome *(*run) (const struct RspMapMachine *machine, const RspMap *map,
                             const RspProgram *program, gboolean full, RspDiagnostics *diagnostics);

  /* Can it run these instructions? */
  gboolean (*takes) (const struct RspMapMachine *machine, const RspMap *map,
                     RspDiagnostics *diagnostics);
} RspMapMachine;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspTranslation, rsp_translation_free)
