/* Prepared: the paths of a program, kept from one check to the next. They do not depend on the model. */
#ifndef RSP_ENUMERATOR_SEARCH_PREPARE_PREPARED_H
#define RSP_ENUMERATOR_SEARCH_PREPARE_PREPARED_H

#include "enumerator/paths/path.h"

/* Shared by checks of a program that one thread makes one after another: see
 * RspCheckOptions.prepared. It must outlive their results, and the program must outlive it. */
typedef struct RspPrepared RspPrepared;

RspPrepared *rsp_prepared_new (void);
void rsp_prepared_free (RspPrepared *prepared);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspPrepared, rsp_prepared_free)

/* ---- Private to this folder ---- */

typedef struct Prepared
{
  const RspProgram *program;
  RspPathOptions options; /* without a budget */
  RspArena *arena;        /* terms and paths */
  RspTerms *terms;
  GPtrArray **paths; /* per thread: of RspPath */
} Prepared;

/* What an earlier check of the program under these options has kept, or NULL. */
const Prepared *prepared_find (const RspPrepared *prepared, const RspProgram *program,
                               const RspPathOptions *options);
/* Keeps the paths of found if nothing has been kept yet and they are small: takes arena and terms,
 * and copies the arrays. FALSE if the caller still owns them. prepared may be NULL. */
gboolean prepared_keep (RspPrepared *prepared, const Prepared *found);

#endif
