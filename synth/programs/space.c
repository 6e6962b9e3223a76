#include "synth/programs/space.h"

#include "enumerator/shapes/probe.h"

#include <string.h>

enum
{
  DEFAULT_EVENTS = 4,
  DEFAULT_THREADS = 3,
  DEFAULT_LOCATIONS = 2
};

#define ORDERED(order) (1u << RSP_ORDER_##order)
#define SCOPED(scope)  (1u << RSP_SCOPE_##scope)

/* Words of options and of tests' names, by bit. */
static const char *const kind_words[] = { "load", "store", "rmw", "fence", "barrier", NULL };
static const char *const order_words[] = { "na", "rlx", "con", "acq", "rel", "ar", "sc", NULL };
static const char *const scope_words[] = { "wi", "sg", "wg", "dev", "all", NULL };
static const char *const dependency_words[] = { "addr", "data", "ctrl", NULL };
static const char *const truths[] = { "false", "true", NULL };

/* The orders that C11 allows for each kind. */
static const guint orders_of[SYNTH_KINDS] = {
  [SYNTH_LOAD]
  = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (CONSUME) | ORDERED (ACQUIRE) | ORDERED (SEQ_CST),
  [SYNTH_STORE] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (RELEASE) | ORDERED (SEQ_CST),
  [SYNTH_EXCHANGE] = ORDERED (RELAXED) | ORDERED (ACQUIRE) | ORDERED (RELEASE) | ORDERED (ACQ_REL)
                     | ORDERED (SEQ_CST),
  [SYNTH_FENCE] = ORDERED (ACQUIRE) | ORDERED (RELEASE) | ORDERED (ACQ_REL) | ORDERED (SEQ_CST),
};
G_STATIC_ASSERT ((int) SYNTH_BARRIER == (int) RSP_EVENT_ENTRY);
G_STATIC_ASSERT ((int) SYNTH_BARRIER_EXIT == (int) RSP_EVENT_EXIT);

static const RspSpan nowhere = { NULL, 0, 0 };

const char *
synth_order_word (guint order)
{
  return order_words[order];
}

const char *
synth_scope_word (guint scope)
{
  return scope_words[scope];
}

guint
rsp_synth_label_value (const RspLabel *label, SynthAttribute attribute)
{
  return attribute == SYNTH_ORDER   ? label->order
         : attribute == SYNTH_SCOPE ? label->scope
                                    : label->remote;
}

/* ---- The question ---- */

/* Bits of the words in a list; FALSE after an error. NULL leaves the bits as they are. */
static gboolean
read_words (const char *list, const char *const *words, const char *what, guint *bits,
            RspDiagnostics *diagnostics)
{
  if (!list)
    return TRUE;
  g_auto (GStrv) items = g_strsplit (list, ",", -1);
  *bits = 0;
  for (guint i = 0; items[i]; i++)
    {
      guint w = 0;
      while (words[w] && strcmp (words[w], items[i]) != 0)
        w++;
      if (!words[w])
        {
          g_autofree char *all = g_strjoinv (", ", (char **) words);
          rsp_error (diagnostics, nowhere, NULL, "%s: `%s` is not one of %s", what, items[i], all);
          return FALSE;
        }
      *bits |= 1u << w;
    }
  return TRUE;
}

/* ---- What the models can distinguish ---- */

static void
take_seen (SynthSpace *space, const RspSeen *seen)
{
  static const int of_orders[]
      = { RSP_BASE_SET_NA, -1, -1, RSP_BASE_SET_ACQ, RSP_BASE_SET_REL, RSP_BASE_SET_ACQ_REL,
          RSP_BASE_SET_SC };
  static const int of_scopes[] = { -1, -1, RSP_BASE_SET_WORK_GROUP_SCOPE, RSP_BASE_SET_DEVICE_SCOPE,
                                   RSP_BASE_SET_ALL_SCOPE };
  for (guint i = 0; i < G_N_ELEMENTS (of_orders); i++)
    if (of_orders[i] >= 0 && seen->sets[of_orders[i]])
      space->orders |= 1u << i;
  for (guint i = 0; i < G_N_ELEMENTS (of_scopes); i++)
    if (of_scopes[i] >= 0 && seen->sets[of_scopes[i]])
      space->scopes |= 1u << i;
  if (seen->sets[RSP_BASE_SET_A] || seen->sets[RSP_BASE_SET_NONATOMICLOC]
      || seen->sets[RSP_BASE_SET_ATOMICLOC])
    space->orders |= ORDERED (NA);
  if (seen->sets[RSP_BASE_SET_RMW])
    space->kinds |= 1u << SYNTH_EXCHANGE;
  if (seen->sets[RSP_BASE_SET_F])
    space->kinds |= 1u << SYNTH_FENCE;
  space->remote |= seen->sets[RSP_BASE_SET_REMOTE];
  space->dependencies |= (seen->addr ? SYNTH_ADDR : 0u) | (seen->data ? SYNTH_DATA : 0u)
                         | (seen->ctrl ? SYNTH_CTRL : 0u);
  space->trees |= seen->tree;
}

/* ---- Labels ---- */

static void
add_label (SynthSpace *space, SynthKind kind, guint order, guint scope, gboolean remote)
{
  space->labels[kind][space->n_labels[kind]++]
      = (RspLabel){ (guint8) order, (guint8) scope, (guint8) remote };
}

static void
add_order (SynthSpace *space, SynthKind kind, guint order)
{
  if (order == RSP_ORDER_NA)
    {
      add_label (space, kind, order, RSP_SCOPE_WORK_ITEM, FALSE);
      return;
    }
  for (guint scope = 0; scope < RSP_N_SCOPES; scope++)
    for (gboolean remote = FALSE; (space->scopes >> scope & 1) && remote <= space->remote; remote++)
      add_label (space, kind, order, scope, remote);
}

/* Of scopes that are named, and of a work-group if none of them is. Both halves have one label. */
static void
add_barriers (SynthSpace *space)
{
  guint scopes = space->scopes & ~SCOPED (WORK_ITEM);
  for (guint scope = 0; scope < RSP_N_SCOPES; scope++)
    if ((scopes ? scopes : SCOPED (WORK_GROUP)) >> scope & 1)
      for (guint half = SYNTH_BARRIER; half <= SYNTH_BARRIER_EXIT; half++)
        add_label (space, (SynthKind) half, RSP_ORDER_ACQ_REL, scope, FALSE);
}

static void
fill_labels (SynthSpace *space)
{
  add_barriers (space);
  for (guint kind = 0; kind < SYNTH_BARRIER; kind++)
    {
      for (guint order = 0; order <= RSP_ORDER_SEQ_CST; order++)
        if (orders_of[kind] & space->orders & 1u << order)
          add_order (space, (SynthKind) kind, order);
      if (space->n_labels[kind] == 0)
        space->kinds &= ~(1u << kind);
    }
}

/* ---- The whole ---- */

static gboolean
check_sizes (const SynthSpace *space, RspDiagnostics *diagnostics)
{
  if (space->events + MIN (space->locations, space->events) > RSP_SHAPE_EVENTS)
    rsp_error (diagnostics, nowhere, "initial writes count: -events 6 -locations 2 is possible",
               "%u events on %u locations are more than %d", space->events, space->locations,
               RSP_SHAPE_EVENTS);
  else if (space->threads > 5)
    rsp_error (diagnostics, nowhere, NULL, "more than 5 threads");
  else if (!space->kinds)
    rsp_error (diagnostics, nowhere, NULL, "no kind of event is left in the space of programs");
  else
    return TRUE;
  return FALSE;
}

gboolean
rsp_synth_space_init (SynthSpace *space, const SynthBounds *bounds, RspModel *const *models,
                      guint n_models, const RspStageOptions *options, RspDiagnostics *diagnostics)
{
  *space = (SynthSpace){ .events = bounds->events ? bounds->events : DEFAULT_EVENTS,
                         .threads = bounds->threads ? bounds->threads : DEFAULT_THREADS,
                         .locations = bounds->locations ? bounds->locations : DEFAULT_LOCATIONS,
                         .kinds = 1u << SYNTH_LOAD | 1u << SYNTH_STORE,
                         .orders = ORDERED (RELAXED),
                         .regions = bounds->regions };
  for (guint i = 0; i < n_models; i++)
    {
      RspSeen seen;
      if (!rsp_probe (models[i], options, &seen, diagnostics))
        return FALSE;
      take_seen (space, &seen);
    }
  guint remote = 1u << space->remote, trees = 1u << space->trees;
  gboolean none = g_strcmp0 (bounds->dependencies, "none") == 0;
  if (!read_words (bounds->kinds, kind_words, "-event-kinds", &space->kinds, diagnostics)
      || !read_words (none ? NULL : bounds->dependencies, dependency_words, "-dependencies",
                      &space->dependencies, diagnostics)
      || !read_words (bounds->orders, order_words, "-orders", &space->orders, diagnostics)
      || !read_words (bounds->scopes, scope_words, "-scopes", &space->scopes, diagnostics)
      || !read_words (bounds->remote, truths, "-remote", &remote, diagnostics)
      || !read_words (bounds->trees, truths, "-trees", &trees, diagnostics))
    return FALSE;
  space->remote = remote == 2;
  space->dependencies = none ? 0 : space->dependencies;
  space->opencl = space->scopes || space->remote || space->regions || space->trees
                  || (space->kinds & 1u << SYNTH_BARRIER);
  space->trees = trees == 2;
  space->sub_groups = space->trees && (space->scopes & SCOPED (SUB_GROUP));
  if (!space->scopes)
    space->scopes = SCOPED (DEVICE);
  fill_labels (space);
  return check_sizes (space, diagnostics);
}

/* ---- Saying it ---- */

static void
append_words (GString *text, const char *title, guint bits, const char *const *words)
{
  const char *separator = title;
  for (guint i = 0; words[i]; i++)
    if (bits >> i & 1)
      {
        g_string_append_printf (text, "%s%s", separator, words[i]);
        separator = ", ";
      }
}

char *
rsp_synth_space_describe (const SynthSpace *space)
{
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s programs of at most %u events, %u threads, %u locations",
                          space->opencl ? "OpenCL" : "C", space->events, space->threads,
                          space->locations);
  append_words (text, "; events ", space->kinds, kind_words);
  append_words (text, "; orders ", space->orders, order_words);
  append_words (text, "; dependencies ", space->dependencies, dependency_words);
  if (space->opencl)
    {
      append_words (text, "; scopes ", space->scopes, scope_words);
      g_string_append (text, space->remote ? "; with remote" : "; without remote");
      g_string_append (text, space->trees ? "; all trees of devices and work-groups"
                                          : "; each thread a work-group of one device");
      if (space->sub_groups)
        g_string_append (text, " and sub-groups");
      g_string_append (text, space->regions ? "; global and local memory" : "; global memory");
    }
  return g_string_free (text, FALSE);
}
