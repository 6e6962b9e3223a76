#include "synth/programs/space.h"

#include "enumerator/shapes/probe.h"
#include "model/language.h"
#include "synth/programs/alphabet.h"

#include <string.h>

enum { DEFAULT_EVENTS = 4, DEFAULT_THREADS = 3, DEFAULT_LOCATIONS = 2 };

#define ORDERED(order) (1u << RSP_ORDER_##order)
#define SCOPED(scope)  (1u << RSP_SCOPE_##scope)
#define ALIAS          (1u << 4) /* of PTX's proxies */

/* Words of options and of tests' names, by bit. */
static const char *const kind_words[] = { "load", "store", "rmw", "fence", "barrier", NULL };
static const char *const dependency_words[] = { "addr", "data", "ctrl", NULL };
static const char *const truths[] = { "false", "true", NULL };

guint rsp_synth_label_value (const RspLabel *label, SynthAttribute attribute) {
  return attribute == SYNTH_ORDER   ? label->order
         : attribute == SYNTH_SCOPE ? label->scope
                                    : label->remote;
}

/* ---- The question ---- */

static char *join_words (const char *const *words) {
  GString *all = g_string_new (NULL);
  for (guint i = 0; words[i]; i++)
    if (*words[i])
      g_string_append_printf (all, "%s%s", all->len ? ", " : "", words[i]);
  return g_string_free (all, FALSE);
}

/* Bits of the words in a list; FALSE after an error. NULL leaves the bits as they are. */
static gboolean read_words (const char *list, const char *const *words, const char *what,
                            guint *bits, RspDiagnostics *diagnostics) {
  if (!list)
    return TRUE;
  g_auto (GStrv) items = g_strsplit (list, ",", -1);
  *bits = 0;
  for (guint i = 0; items[i]; i++) {
    guint w = 0;
    while (words[w] && (!*words[w] || strcmp (words[w], items[i]) != 0))
      w++;
    if (!words[w]) {
      g_autofree char *all = join_words (words);
      rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: `%s` is not one of %s", what, items[i], all);
      return FALSE;
    }
    *bits |= 1u << w;
  }
  return TRUE;
}

/* ---- What the models can distinguish ---- */

static void take_seen (SynthSpace *space, const RspSeen *seen) {
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
  if (seen->sets[RSP_BASE_SET_RMW] || seen->sets[RSP_BASE_SET_X])
    space->kinds |= 1u << SYNTH_EXCHANGE;
  if (seen->sets[RSP_BASE_SET_F])
    space->kinds |= 1u << SYNTH_FENCE;
  space->remote |= seen->sets[RSP_BASE_SET_REMOTE];
  space->dependencies |= (seen->addr ? SYNTH_ADDR : 0u) | (seen->data ? SYNTH_DATA : 0u)
                         | (seen->ctrl ? SYNTH_CTRL : 0u);
  space->trees |= seen->tree;
}

/* The same of a language with tags. */
static void take_tags (SynthSpace *space, const RspSeen *seen) {
  static const struct {
    int set;
    guint orders, scopes, proxies;
  } rows[] = {
    { RSP_BASE_SET_WEAK_TAG, ORDERED (NA), 0, 0 },
    { RSP_BASE_SET_RLX, ORDERED (NA), 0, 0 }, /* what is weak is not in it */
    { RSP_BASE_SET_ACQ, ORDERED (ACQUIRE), 0, 0 },
    { RSP_BASE_SET_REL, ORDERED (RELEASE), 0, 0 },
    { RSP_BASE_SET_ACQ_REL, ORDERED (ACQ_REL), 0, 0 },
    { RSP_BASE_SET_SC, ORDERED (SEQ_CST), 0, 0 },
    { RSP_BASE_SET_CTA_TAG, 0, SCOPED (WORK_GROUP), 0 },
    { RSP_BASE_SET_GPU_TAG, 0, SCOPED (DEVICE), 0 },
    { RSP_BASE_SET_SYS_TAG, 0, SCOPED (ALL), 0 },
    { RSP_BASE_SET_TEX_TAG, ORDERED (NA) | ORDERED (CONSUME), 0, 1u << 1 },
    { RSP_BASE_SET_SUR_TAG, ORDERED (NA) | ORDERED (CONSUME), 0, 1u << 2 },
    { RSP_BASE_SET_CON, ORDERED (NA) | ORDERED (CONSUME), 0, 1u << 3 },
    { RSP_BASE_SET_ALIAS_TAG, ORDERED (CONSUME), 0, ALIAS },
    { RSP_BASE_SET_NONPRIV_TAG, ORDERED (NA), 0, 0 },
    { RSP_BASE_SET_ATOM_TAG, ORDERED (CONSUME) | ORDERED (ACQ_REL), 0, 0 },
    { RSP_BASE_SET_SUB_GROUP_SCOPE, 0, SCOPED (SUB_GROUP), 0 },
    { RSP_BASE_SET_WORK_GROUP_SCOPE, 0, SCOPED (WORK_GROUP), 0 },
    { RSP_BASE_SET_QF_TAG, 0, SCOPED (DEVICE), 0 },
    { RSP_BASE_SET_DEVICE_SCOPE, 0, SCOPED (ALL), 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (seen->sets[rows[i].set]) {
      space->orders |= rows[i].orders;
      space->scopes |= rows[i].scopes;
      space->proxies |= rows[i].proxies;
    }
  if (seen->sets[RSP_BASE_SET_F])
    space->kinds |= 1u << SYNTH_FENCE;
  if (seen->halves)
    space->kinds |= 1u << SYNTH_EXCHANGE;
  space->trees |= seen->tree;
}

/* ---- Labels ---- */

static void add_label (SynthSpace *space, SynthKind kind, guint order, guint scope,
                       gboolean remote) {
  space->labels[kind][space->n_labels[kind]++]
      = (RspLabel){ (guint8) order, (guint8) scope, (guint8) remote, 0, 0 };
}

static void add_tagged_label (SynthSpace *space, SynthKind kind, guint order, guint scope,
                              guint proxy) {
  RspLabel label = synth_tagged_label (space->language, kind, order, scope, proxy);
  if (label.tags && space->n_labels[kind] < SYNTH_MAX_LABELS)
    space->labels[kind][space->n_labels[kind]++] = label;
}

/* What is not made by the generic proxy is weak, or a proxy fence. A barrier whose scope is not
 * written has that of a work-group. */
static void add_tagged_order (SynthSpace *space, SynthKind kind, guint order) {
  const SynthAlphabet *alphabet = synth_alphabet (space->language);
  if (synth_has_scope (alphabet, kind, order)) {
    for (guint scope = 0; scope < RSP_N_SCOPES; scope++)
      if (space->scopes >> scope & 1)
        add_tagged_label (space, kind, order, scope, 0);
  } else if (kind == SYNTH_BARRIER)
    add_tagged_label (space, kind, order, RSP_SCOPE_WORK_GROUP, 0);
  else
    for (guint proxy = 0; alphabet->proxies[proxy]; proxy++)
      if (space->proxies >> proxy & 1 && (proxy || order == RSP_ORDER_NA))
        add_tagged_label (space, kind, order, RSP_SCOPE_WORK_ITEM, proxy);
}

static void add_order (SynthSpace *space, SynthKind kind, guint order) {
  if (order == RSP_ORDER_NA) {
    add_label (space, kind, order, RSP_SCOPE_WORK_ITEM, FALSE);
    return;
  }
  for (guint scope = 0; scope < RSP_N_SCOPES; scope++)
    for (gboolean remote = FALSE; (space->scopes >> scope & 1) && remote <= space->remote; remote++)
      add_label (space, kind, order, scope, remote);
}

/* Of scopes that are named, and of a work-group if none of them is. */
static void add_barriers (SynthSpace *space) {
  guint scopes = space->scopes & ~SCOPED (WORK_ITEM);
  for (guint scope = 0; scope < RSP_N_SCOPES; scope++)
    if ((scopes ? scopes : SCOPED (WORK_GROUP)) >> scope & 1)
      add_label (space, SYNTH_BARRIER, RSP_ORDER_ACQ_REL, scope, FALSE);
}

/* The orders that operations of the kind have in the space. A barrier needs none. */
static guint orders_of (const SynthSpace *space, SynthKind kind) {
  guint needless = kind == SYNTH_BARRIER ? ORDERED (RELAXED) : 0;
  return synth_alphabet (space->language)->orders_of[kind] & (space->orders | needless);
}

static void fill_labels (SynthSpace *space) {
  gboolean tagged = rsp_languages[space->language].tagged;
  if (!tagged)
    add_barriers (space);
  for (guint kind = 0; kind < SYNTH_KINDS; kind++) {
    for (guint order = 0; order <= RSP_ORDER_SEQ_CST; order++)
      if (orders_of (space, (SynthKind) kind) >> order & 1)
        (tagged ? add_tagged_order : add_order) (space, (SynthKind) kind, order);
    if (space->n_labels[kind] == 0)
      space->kinds &= ~(1u << kind);
  }
}

/* ---- The whole ---- */

static gboolean check_sizes (const SynthSpace *space, RspDiagnostics *diagnostics) {
  if (space->events + MIN (space->locations, space->events) > RSP_SHAPE_EVENTS)
    rsp_error (diagnostics, RSP_NOWHERE, "initial writes count: -events 6 -locations 2 is possible",
               "%u events on %u locations are more than %d", space->events, space->locations,
               RSP_SHAPE_EVENTS);
  else if (space->threads > 5)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "more than 5 threads");
  else if (!space->kinds)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "no kind of event is left in the space of programs");
  else
    return TRUE;
  return FALSE;
}

RspLanguageId rsp_synth_language (RspModel *const *models, guint n_models) {
  guint languages = (1u << RSP_N_LANGUAGES) - 1;
  for (guint i = 0; i < n_models; i++)
    languages &= rsp_model_languages (models[i]);
  return languages >> RSP_LANGUAGE_OPENCL & 1 || !languages
             ? RSP_LANGUAGE_OPENCL
             : (RspLanguageId) __builtin_ctz (languages);
}

/* What programs of languages with tags do not have yet. */
static gboolean check_tagged (const SynthSpace *space, RspDiagnostics *diagnostics) {
  const RspLanguage *language = &rsp_languages[space->language];
  if (!language->tagged || (!space->dependencies && !space->regions && !space->remote))
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL,
             "programs of %s are without dependencies, regions and remote forms", language->word);
  return FALSE;
}

gboolean rsp_synth_space_init (SynthSpace *space, const SynthBounds *bounds,
                               RspModel *const *models, guint n_models,
                               const RspStageOptions *options, RspDiagnostics *diagnostics) {
  *space = (SynthSpace){ .events = bounds->events ? bounds->events : DEFAULT_EVENTS,
                         .threads = bounds->threads ? bounds->threads : DEFAULT_THREADS,
                         .locations = bounds->locations ? bounds->locations : DEFAULT_LOCATIONS,
                         .language = rsp_synth_language (models, n_models),
                         .proxies = 1,
                         .kinds = 1u << SYNTH_LOAD | 1u << SYNTH_STORE,
                         .orders = ORDERED (RELAXED),
                         .regions = bounds->regions };
  for (guint i = 0; i < n_models; i++) {
    RspSeen seen;
    if (!rsp_probe (models[i], space->language, options, &seen, diagnostics))
      return FALSE;
    (rsp_languages[space->language].tagged ? take_tags : take_seen) (space, &seen);
  }
  const SynthAlphabet *alphabet = synth_alphabet (space->language);
  guint remote = 1u << space->remote, trees = 1u << space->trees;
  gboolean none = g_strcmp0 (bounds->dependencies, "none") == 0;
  if (!read_words (bounds->kinds, kind_words, "-event-kinds", &space->kinds, diagnostics)
      || !read_words (none ? NULL : bounds->dependencies, dependency_words, "-dependencies",
                      &space->dependencies, diagnostics)
      || !read_words (bounds->orders, alphabet->orders, "-orders", &space->orders, diagnostics)
      || !read_words (bounds->scopes, alphabet->scopes, "-scopes", &space->scopes, diagnostics)
      || !read_words (bounds->proxies, alphabet->proxies, "-proxies", &space->proxies, diagnostics)
      || !read_words (bounds->remote, truths, "-remote", &remote, diagnostics)
      || !read_words (bounds->trees, truths, "-trees", &trees, diagnostics))
    return FALSE;
  space->remote = remote == 2;
  space->addresses = space->proxies & ALIAS ? 2 : 1;
  space->dependencies = none ? 0 : space->dependencies;
  space->opencl = space->scopes || space->remote || space->regions || space->trees
                  || (space->kinds & 1u << SYNTH_BARRIER);
  space->trees = trees == 2;
  space->sub_groups = space->trees && (space->scopes & SCOPED (SUB_GROUP));
  if (!space->scopes)
    space->scopes = SCOPED (DEVICE);
  if (!check_tagged (space, diagnostics))
    return FALSE;
  fill_labels (space);
  return check_sizes (space, diagnostics);
}

/* ---- Saying it ---- */

static void append_words (GString *text, const char *title, guint bits, const char *const *words) {
  const char *separator = title;
  for (guint i = 0; words[i]; i++)
    if (bits >> i & 1) {
      g_string_append_printf (text, "%s%s", separator, words[i]);
      separator = ", ";
    }
}

char *rsp_synth_space_describe (const SynthSpace *space) {
  const SynthAlphabet *alphabet = synth_alphabet (space->language);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s programs of at most %u events, %u threads, %u locations",
                          rsp_languages[space->language].tagged
                              ? rsp_languages[space->language].word
                          : space->opencl ? "OpenCL"
                                          : "C",
                          space->events, space->threads, space->locations);
  append_words (text, "; events ", space->kinds, kind_words);
  append_words (text, "; orders ", space->orders, alphabet->orders);
  append_words (text, "; dependencies ", space->dependencies, dependency_words);
  if (rsp_languages[space->language].tagged) {
    append_words (text, "; scopes ", space->scopes, alphabet->scopes);
    if (alphabet->proxies[1])
      append_words (text, "; proxies ", space->proxies, alphabet->proxies);
    if (space->addresses > 1)
      g_string_append (text, "; two virtual addresses of a location");
    g_string_append_printf (text, "; %s%s", space->trees ? alphabet->trees : alphabet->no_trees,
                            space->sub_groups ? " and subgroups" : "");
  } else if (space->opencl) {
    append_words (text, "; scopes ", space->scopes, alphabet->scopes);
    g_string_append (text, space->remote ? "; with remote" : "; without remote");
    g_string_append (text, space->trees ? "; all trees of devices and work-groups"
                                        : "; each thread a work-group of one device");
    if (space->sub_groups)
      g_string_append (text, " and sub-groups");
    g_string_append (text, space->regions ? "; global and local memory" : "; global memory");
  }
  return g_string_free (text, FALSE);
}
