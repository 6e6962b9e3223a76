#include "machine/framework/search.h"

#include <string.h>

enum {
  LOOK_AT_CLOCK = 256 /* states between checks of the clock */
};

typedef struct Run {
  const RspSystem *system;
  const RspSearchOptions *options;
  RspSearch *search;
  GArray *open; /* of guint32: states still to expand, taken from `first` or from the end */
  guint first;
  RspSuccessors successors;
} Run;

static void meet (Run *run, RspBytes state, guint32 parent) {
  gboolean is_new;
  guint32 number = rsp_store_add (run->search->store, state, parent, &is_new);
  if (is_new)
    g_array_append_val (run->open, number);
  if (!is_new || run->search->violated || !run->system->violated)
    return;
  run->search->violated = run->system->violated (run->system->data, state);
  run->search->where = number;
}

static guint32 take (Run *run) {
  if (run->options->breadth_first)
    return g_array_index (run->open, guint32, run->first++);
  guint32 number = g_array_index (run->open, guint32, run->open->len - 1);
  g_array_set_size (run->open, run->open->len - 1);
  return number;
}

static gboolean is_finished (Run *run, guint64 expanded) {
  const RspStore *store = run->search->store;
  guint64 limit = run->options->max_states;
  run->search->limited |= limit && rsp_store_count (store) > limit;
  if (expanded % LOOK_AT_CLOCK == 0) {
    rsp_budget_limit_part (run->options->budget, rsp_store_size (store));
    run->search->limited |= rsp_budget_is_exhausted (run->options->budget);
  }
  return run->search->limited || run->search->violated;
}

static RspEnd expand (Run *run, guint32 number) {
  rsp_successors_reset (&run->successors);
  RspEnd end = run->system->expand (run->system->data, rsp_store_get (run->search->store, number),
                                    &run->successors);
  guint n = rsp_successors_count (&run->successors);
  run->search->steps += n;
  for (guint i = 0; i < n; i++)
    meet (run, rsp_successors_get (&run->successors, i), number);
  return end;
}

RspSearch *rsp_search_run (const RspSystem *system, const RspSearchOptions *options,
                           RspSearchEnded ended, gpointer user) {
  Run run = { .system = system, .options = options, .search = g_new0 (RspSearch, 1) };
  run.search->store = rsp_store_new ();
  run.open = g_array_new (FALSE, FALSE, sizeof (guint32));
  rsp_successors_init (&run.successors);
  g_autoptr (GByteArray) initial = g_byte_array_sized_new (1); /* not NULL, even if it is empty */
  system->start (system->data, initial, NULL);
  meet (&run, (RspBytes){ initial->data, initial->len }, RSP_NO_STATE);
  gboolean goes_on = TRUE;
  for (guint64 expanded = 0; goes_on && run.first < run.open->len && !is_finished (&run, expanded);
       expanded++) {
    guint32 number = take (&run);
    RspEnd end = expand (&run, number);
    if (end != RSP_END_NONE && ended)
      goes_on = ended (user, number, rsp_store_get (run.search->store, number), end);
  }
  g_array_unref (run.open);
  rsp_successors_clear (&run.successors);
  return run.search;
}

void rsp_search_free (RspSearch *search) {
  if (!search)
    return;
  rsp_store_free (search->store);
  g_free (search);
}

/* The index of `to` among the successors of `from`. */
static guint find_step (const RspSystem *system, RspBytes from, RspBytes to,
                        RspSuccessors *successors) {
  rsp_successors_reset (successors);
  system->expand (system->data, from, successors);
  for (guint i = 0; i < rsp_successors_count (successors); i++) {
    RspBytes bytes = rsp_successors_get (successors, i);
    if (bytes.size == to.size && memcmp (bytes.data, to.data, to.size) == 0)
      return i;
  }
  return G_MAXUINT;
}

void rsp_search_describe (const RspSystem *system, const RspSearch *search, guint32 number,
                          GString *out) {
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 at = number; at != RSP_NO_STATE; at = rsp_store_parent (search->store, at))
    g_array_append_val (path, at);
  RspSuccessors successors;
  rsp_successors_init (&successors);
  system->describe (system->data, (RspBytes){ NULL, 0 }, 0, out);
  for (guint i = path->len; i-- > 1;) {
    RspBytes from = rsp_store_get (search->store, g_array_index (path, guint32, i));
    RspBytes to = rsp_store_get (search->store, g_array_index (path, guint32, i - 1));
    guint step = find_step (system, from, to, &successors);
    if (step != G_MAXUINT)
      system->describe (system->data, from, step, out);
  }
  rsp_successors_clear (&successors);
}
