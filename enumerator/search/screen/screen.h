/* Screening: combinations of paths that coherence alone rules out are discarded before they are
 * staged. Most combinations of paths that wait or retry are of that kind, because one thread must
 * be first.
 *
 * Where the model demands coherence is not assumed but proved (proof.h), location by location, once
 * enough combinations had no execution for the proof to pay off. */
#ifndef RSP_ENUMERATOR_SEARCH_SCREEN_SCREEN_H
#define RSP_ENUMERATOR_SEARCH_SCREEN_SCREEN_H

#include "enumerator/options.h"
#include "enumerator/paths/path.h"
#include "model/model.h"

typedef struct RspScreen RspScreen;

/* paths: per thread, of RspPath; all outlive the screen. Nothing is screened before options->screen_after
 * combinations had no execution. */
RspScreen *screen_new (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, GPtrArray *const *paths, RspBudget *budget);
void screen_free (RspScreen *screen);

/* Records that a combination turned out to have no execution. May be called by any thread. */
void screen_note_empty (RspScreen *screen);
/* numbers: per thread, which of its paths. FALSE is certain: the combination has no execution. */
gboolean screen_admits (RspScreen *screen, const guint *numbers);

#endif
