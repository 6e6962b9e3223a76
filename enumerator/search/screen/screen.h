/* Screening: combinations of paths that coherence alone rules out are discarded before they are
 * staged. That is true of most combinations of paths that wait or retry, because one thread must be
 * first.
 *
 * It is not assumed but proved (proof.h), location by location, that the model demands coherence,
 * once enough combinations have had no execution for the proof to pay off. */
#pragma once

#include "enumerator/options.h"
#include "enumerator/paths/path.h"
#include "model/model.h"

typedef struct RspScreen RspScreen;

/* paths: per thread, of RspPath; all outlive the screen. Nothing is screened until `after` (> 0)
 * combinations have had no execution, nor is a question about updates answered before as many times
 * some questions, unless it is 1. */
RspScreen *screen_new (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, guint after, GPtrArray *const *paths,
                       RspBudget *budget);
void screen_free (RspScreen *screen);

/* Records that a combination has no execution. Any thread may call it. */
void screen_note_empty (RspScreen *screen);
/* Is each read-modify-write of the location, in every execution, in co the next after the write
 * that it reads? FALSE: that is not known (yet: it is proved once it has been asked often enough
 * for the proof to pay off). Any thread may call it. */
gboolean rsp_screen_updates_follow (RspScreen *screen, guint location);

/* Can the combination have an execution? numbers: per thread, the number of its path. FALSE is
 * certain. */
gboolean screen_admits (RspScreen *screen, const guint *numbers);
