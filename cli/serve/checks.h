/* Checks that the page asks for. Each is a process of its own in a folder of its own, confined
 * (-confined), with limits of time and memory. As many run at a time as there are cores; the others
 * wait. */
#pragma once

#include "base/json.h"

typedef struct ServeChecks ServeChecks;

/* installed: "cat/M.cat" → text, an object. Not owned. */
ServeChecks *serve_checks_new (JsonNode *installed);
/* Ends all. Their ends are not reported. */
void serve_checks_free (ServeChecks *checks);

/* What a check tells its client: "waiting", how many wait before it; "running"; "watched", the last
 * line of a file that it appends to; and in the end "answer", { status, out, error, wanted }, or
 * null if it was stopped. Takes `what`. FALSE: the client has not read the event before, so that
 * this is for later; whatever it returns for the answer. */
typedef gboolean (*ServeTell) (gpointer data, const char *event, JsonNode *what);

/* Begins { id, args: [word], files: { name: text }, wanted, watched: name, input: text }, as
 * web/engine.js has it. A message for the client if the request cannot be accepted; NULL otherwise.
 */
const char *serve_checks_begin (ServeChecks *checks, JsonNode *request, ServeTell tell,
                                gpointer data);
/* Ends that check, or the next one of that id if there is none yet: requests may overtake each
 * other. Ids are used once. */
void serve_checks_stop (ServeChecks *checks, const char *id);
/* Ends the check that was begun with this data: nobody waits for it any more. */
void serve_checks_leave (ServeChecks *checks, gconstpointer data);
