/* The space of programs: the alphabets of languages, and what a search may use of them. */
#include "extra/synth/shapes.h"
#include "model/model.h"
#include "parser/program.h"
#include "extra/synth/internal.h"
#include "extra/synth/synth.h"

#include <string.h>

/* ---- Alphabet ------------------------------------------------------------------------------- */

#define ORDERED(order) (1u << RSP_ORDER_##order)

/* ---- OpenCL and C: the orders that C11 allows for each kind ---- */
static const char *const c_orders[] = { "na", "rlx", "con", "acq", "rel", "ar", "sc", NULL };

static const char *const c_scopes[RSP_N_ALL_SCOPES] = { "wi", "sg", "wg", "dev", "all" };

static const char *const no_words[] = { NULL };

static const SynthAlphabet c_alphabet = {
  .orders = c_orders,
  .scopes = c_scopes,
  .proxies = no_words,
  .orders_of
  = { [SYNTH_LOAD] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (CONSUME) | ORDERED (ACQUIRE)
                     | ORDERED (SEQ_CST),
      [SYNTH_STORE] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (RELEASE) | ORDERED (SEQ_CST),
      [SYNTH_EXCHANGE] = ORDERED (RELAXED) | ORDERED (ACQUIRE) | ORDERED (RELEASE)
                         | ORDERED (ACQ_REL) | ORDERED (SEQ_CST),
      [SYNTH_FENCE]
      = ORDERED (ACQUIRE) | ORDERED (RELEASE) | ORDERED (ACQ_REL) | ORDERED (SEQ_CST) },
};

/* ---- PTX: a proxy fence takes the place of consume, neither weaker nor stronger than others ---- */
static const char *const ptx_orders[]
    = { "weak", "relaxed", "proxy", "acquire", "release", "acq_rel", "sc", NULL };

static const char *const ptx_scopes[RSP_N_ALL_SCOPES] = { [RSP_SCOPE_WORK_ITEM] = "",
                                                          [RSP_SCOPE_WORK_GROUP] = "cta",
                                                          [RSP_SCOPE_IN_KERNEL] = "cluster",
                                                          [RSP_SCOPE_DEVICE] = "gpu",
                                                          [RSP_SCOPE_ALL] = "sys" };

static const char *const ptx_proxies[]
    = { "generic", "texture", "surface", "constant", "alias", NULL };

static const char *const ptx_loads[] = { "ld", "tld", "suld", "cold", NULL };

static const char *const ptx_stores[] = { "st", NULL, "sust", NULL, NULL };

static const char *const ptx_fences[] = { "fence", "fence", "fence", "fence", "fence" };

static const char *const ptx_exchanges[] = {
  [RSP_ORDER_RELAXED] = "atom.relaxed.$S.exch",
  [RSP_ORDER_ACQUIRE] = "atom.acquire.$S.exch",
  [RSP_ORDER_RELEASE] = "atom.release.$S.exch",
  [RSP_ORDER_ACQ_REL] = "atom.acq_rel.$S.exch",
};

static const char *const ptx_barriers[] = { [RSP_ORDER_RELAXED] = "bar.cta.sync" };

static const SynthAlphabet ptx_alphabet = {
  .orders = ptx_orders,
  .scopes = ptx_scopes,
  .proxies = ptx_proxies,
  .trees = "all trees of devices and thread blocks",
  .no_trees = "each thread a thread block of one device",
  .orders_of = { [SYNTH_LOAD] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (ACQUIRE),
                 [SYNTH_STORE] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (RELEASE),
                 [SYNTH_EXCHANGE]
                 = ORDERED (RELAXED) | ORDERED (ACQUIRE) | ORDERED (RELEASE) | ORDERED (ACQ_REL),
                 [SYNTH_FENCE] = ORDERED (CONSUME) | ORDERED (ACQ_REL) | ORDERED (SEQ_CST),
                 [SYNTH_BARRIER] = ORDERED (RELAXED) },
  .scoped = ~(ORDERED (NA) | ORDERED (CONSUME)),
  .forms = { [SYNTH_LOAD] = ptx_loads, [SYNTH_STORE] = ptx_stores, [SYNTH_FENCE] = ptx_fences },
  .patterns = { [SYNTH_EXCHANGE] = ptx_exchanges, [SYNTH_BARRIER] = ptx_barriers },
};

/* ---- Vulkan ---- */
/* There is one storage class. Availability and visibility take the place of relaxed, atomic
 * operations that of consume. Acquiring operations have semantics for the class and make visible;
 * releasing ones have them and make available. */
static const char *const vulkan_orders[]
    = { "private", "avvis", "atom", "acq", "rel", "acq_rel", "", NULL };

static const char *const vulkan_scopes[RSP_N_ALL_SCOPES] = { "", "sg", "wg", "qf", "dv" };

static const char *const generic[] = { "", NULL };

static const char *const vulkan_loads[] = {
  [RSP_ORDER_NA] = "ld.sc0",
  [RSP_ORDER_RELAXED] = "ld.vis.$S.sc0",
  [RSP_ORDER_CONSUME] = "ld.atom.$S.sc0",
  [RSP_ORDER_ACQUIRE] = "ld.atom.acq.$S.sc0.semsc0.semvis",
};

static const char *const vulkan_stores[] = {
  [RSP_ORDER_NA] = "st.sc0",
  [RSP_ORDER_RELAXED] = "st.av.$S.sc0",
  [RSP_ORDER_CONSUME] = "st.atom.$S.sc0",
  [RSP_ORDER_RELEASE] = "st.atom.rel.$S.sc0.semsc0.semav",
};

static const char *const vulkan_fences[] = {
  [RSP_ORDER_ACQUIRE] = "membar.acq.$S.semsc0.semvis",
  [RSP_ORDER_RELEASE] = "membar.rel.$S.semsc0.semav",
  [RSP_ORDER_ACQ_REL] = "membar.acq_rel.$S.semsc0.semav.semvis",
};

static const char *const vulkan_exchanges[] = {
  [RSP_ORDER_CONSUME] = "rmw.atom.$S.sc0",
  [RSP_ORDER_ACQUIRE] = "rmw.atom.acq.$S.sc0.semsc0.semvis",
  [RSP_ORDER_RELEASE] = "rmw.atom.rel.$S.sc0.semsc0.semav",
  [RSP_ORDER_ACQ_REL] = "rmw.atom.acq_rel.$S.sc0.semsc0.semav.semvis",
};

static const char *const vulkan_barriers[] = {
  [RSP_ORDER_RELAXED] = "cbar.$S",
  [RSP_ORDER_ACQUIRE] = "cbar.acq.$S.semsc0.semvis",
  [RSP_ORDER_RELEASE] = "cbar.rel.$S.semsc0.semav",
  [RSP_ORDER_ACQ_REL] = "cbar.acq_rel.$S.semsc0.semav.semvis",
};

static const SynthAlphabet vulkan_alphabet = {
  .orders = vulkan_orders,
  .scopes = vulkan_scopes,
  .proxies = generic,
  .trees = "all trees of queue families and work-groups",
  .no_trees = "each thread a work-group of one queue family",
  .orders_of
  = { [SYNTH_LOAD] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (CONSUME) | ORDERED (ACQUIRE),
      [SYNTH_STORE] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (CONSUME) | ORDERED (RELEASE),
      [SYNTH_EXCHANGE]
      = ORDERED (CONSUME) | ORDERED (ACQUIRE) | ORDERED (RELEASE) | ORDERED (ACQ_REL),
      [SYNTH_FENCE] = ORDERED (ACQUIRE) | ORDERED (RELEASE) | ORDERED (ACQ_REL),
      [SYNTH_BARRIER]
      = ORDERED (RELAXED) | ORDERED (ACQUIRE) | ORDERED (RELEASE) | ORDERED (ACQ_REL) },
  .patterns = { [SYNTH_LOAD] = vulkan_loads,
                [SYNTH_STORE] = vulkan_stores,
                [SYNTH_EXCHANGE] = vulkan_exchanges,
                [SYNTH_FENCE] = vulkan_fences,
                [SYNTH_BARRIER] = vulkan_barriers },
};

/* ---- AMDGPU: the av intrinsics take the place of consume, and `.noav` that of a proxy ---- */
static const char *const amdgpu_orders[]
    = { "plain", "mon", "av", "acq", "rel", "acq_rel", "sc", NULL };

static const char *const amdgpu_scopes[RSP_N_ALL_SCOPES]
    = { [RSP_SCOPE_WORK_ITEM] = "",           [RSP_SCOPE_SUB_GROUP] = "wavefront",
        [RSP_SCOPE_WORK_GROUP] = "workgroup", [RSP_SCOPE_IN_KERNEL] = "cluster",
        [RSP_SCOPE_DEVICE] = "agent",         [RSP_SCOPE_ALL] = "system" };

static const char *const amdgpu_marks[] = { "unmarked", "noav", NULL };

static const char *const amdgpu_loads[] = {
  [RSP_ORDER_NA] = "load",
  [RSP_ORDER_RELAXED] = "load.atomic.$S.monotonic",
  [RSP_ORDER_CONSUME] = "load.av.$S",
  [RSP_ORDER_ACQUIRE] = "load.atomic.$S.acquire",
  [RSP_ORDER_SEQ_CST] = "load.atomic.$S.seq_cst",
};

static const char *const amdgpu_stores[] = {
  [RSP_ORDER_NA] = "store",
  [RSP_ORDER_RELAXED] = "store.atomic.$S.monotonic",
  [RSP_ORDER_CONSUME] = "store.av.$S",
  [RSP_ORDER_RELEASE] = "store.atomic.$S.release",
  [RSP_ORDER_SEQ_CST] = "store.atomic.$S.seq_cst",
};

static const char *const amdgpu_exchanges[] = {
  [RSP_ORDER_RELAXED] = "rmw.xchg.$S.monotonic", [RSP_ORDER_ACQUIRE] = "rmw.xchg.$S.acquire",
  [RSP_ORDER_RELEASE] = "rmw.xchg.$S.release",   [RSP_ORDER_ACQ_REL] = "rmw.xchg.$S.acq_rel",
  [RSP_ORDER_SEQ_CST] = "rmw.xchg.$S.seq_cst",
};

static const char *const amdgpu_fences[] = {
  [RSP_ORDER_ACQUIRE] = "fence.$S.acquire",
  [RSP_ORDER_RELEASE] = "fence.$S.release",
  [RSP_ORDER_ACQ_REL] = "fence.$S.acq_rel",
  [RSP_ORDER_SEQ_CST] = "fence.$S.seq_cst",
};

static const char *const amdgpu_barriers[] = { [RSP_ORDER_RELAXED] = "barrier" };

static const SynthAlphabet amdgpu_alphabet = {
  .orders = amdgpu_orders,
  .scopes = amdgpu_scopes,
  .proxies = amdgpu_marks,
  .trees = "all trees of agents and workgroups",
  .no_trees = "each thread a workgroup of one agent",
  .orders_of
  = { [SYNTH_LOAD] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (CONSUME) | ORDERED (ACQUIRE)
                     | ORDERED (SEQ_CST),
      [SYNTH_STORE] = ORDERED (NA) | ORDERED (RELAXED) | ORDERED (CONSUME) | ORDERED (RELEASE)
                      | ORDERED (SEQ_CST),
      [SYNTH_EXCHANGE] = ORDERED (RELAXED) | ORDERED (ACQUIRE) | ORDERED (RELEASE)
                         | ORDERED (ACQ_REL) | ORDERED (SEQ_CST),
      [SYNTH_FENCE] = ORDERED (ACQUIRE) | ORDERED (RELEASE) | ORDERED (ACQ_REL) | ORDERED (SEQ_CST),
      [SYNTH_BARRIER] = ORDERED (RELAXED) },
  .patterns = { [SYNTH_LOAD] = amdgpu_loads,
                [SYNTH_STORE] = amdgpu_stores,
                [SYNTH_EXCHANGE] = amdgpu_exchanges,
                [SYNTH_FENCE] = amdgpu_fences,
                [SYNTH_BARRIER] = amdgpu_barriers },
};

const SynthAlphabet *synth_alphabet (RspLanguageId language) {
  switch (language) {
  case RSP_LANGUAGE_PTX:
    return &ptx_alphabet;
  case RSP_LANGUAGE_VULKAN:
    return &vulkan_alphabet;
  case RSP_LANGUAGE_AMDGPU:
    return &amdgpu_alphabet;
  case RSP_LANGUAGE_OPENCL:
  case RSP_LANGUAGE_C:
  case RSP_N_LANGUAGES:
    break;
  }
  return &c_alphabet;
}

const char *synth_scope_word (RspLanguageId language, const RspWords *words, guint scope) {
  return rsp_scope_is_own (words, scope) ? rsp_words_level (words, rsp_scopes[scope].level)
                                         : synth_alphabet (language)->scopes[scope];
}

const guint8 synth_scopes_by_width[]
    = { RSP_SCOPE_WORK_ITEM,  RSP_SCOPE_IN_SUB_GROUP, RSP_SCOPE_SUB_GROUP, RSP_SCOPE_IN_WORK_GROUP,
        RSP_SCOPE_WORK_GROUP, RSP_SCOPE_IN_KERNEL,    RSP_SCOPE_DEVICE,    RSP_SCOPE_ALL };

/* ---- Instructions ---- */
char *synth_instruction (RspLanguageId language, const RspWords *words, SynthKind kind,
                         const RspLabel *label) {
  const SynthAlphabet *alphabet = synth_alphabet (language);
  const char *scope = synth_scope_word (language, words, label->scope);
  if (alphabet->patterns[kind]) {
    GString *pattern = g_string_new (alphabet->patterns[kind][label->order]);
    g_string_replace (pattern, "$S", scope, 0);
    if (label->form)
      g_string_append_printf (pattern, ".%s", alphabet->proxies[label->form]);
    return g_string_free (pattern, FALSE);
  }
  GString *word = g_string_new (alphabet->forms[kind][label->form]);
  g_string_append_printf (word, ".%s", alphabet->orders[label->order]);
  if (kind == SYNTH_FENCE && label->form)
    g_string_append_printf (word, ".%s", alphabet->proxies[label->form]);
  else if (*scope)
    g_string_append_printf (word, ".%s", scope);
  return g_string_free (word, FALSE);
}

gboolean rsp_synth_decode (RspLanguageId language, SynthKind kind, const RspLabel *label,
                           ColumnsInstruction *instruction) {
  g_autoptr (RspDiagnostics) ignored = rsp_diagnostics_new ();
  g_autofree char *word = synth_instruction (language, NULL, kind, label);
  return rsp_columns_instruction (&rsp_languages[language], word, instruction, ignored)
         && rsp_diagnostics_count (ignored) == 0; /* such as barriers that are too wide */
}

/* The tag of a scope of the language. */
static guint64 scope_tag (RspLanguageId language, guint scope) {
  const char *word = synth_alphabet (language)->scopes[scope];
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == language
        && g_str_equal (rsp_language_levels[i].word, word))
      return G_GUINT64_CONSTANT (1) << rsp_language_levels[i].tag;
  return 0;
}

/* An operation at a level of a model has the other tags of one at device scope. */
RspLabel synth_tagged_label (RspLanguageId language, const RspWords *words, SynthKind kind,
                             guint order, guint scope, guint proxy) {
  const gboolean own = rsp_scope_is_own (words, scope);
  const guint64 none = own ? scope_tag (language, RSP_SCOPE_DEVICE) : 0;
  RspLabel label = { (guint8) order, (guint8) scope, (guint8) proxy, 0, 0, 0 }, known = label;
  known.scope = own ? RSP_SCOPE_DEVICE : label.scope;
  const SynthAlphabet *alphabet = synth_alphabet (language);
  if (!synth_scope_word (language, words, scope)
      || (alphabet->patterns[kind] ? !(alphabet->orders_of[kind] >> order & 1)
                                   : !alphabet->forms[kind] || !alphabet->forms[kind][proxy]))
    return label;
  ColumnsInstruction instruction;
  if (!rsp_synth_decode (language, kind, &known, &instruction))
    return label;
  label.tags = instruction.tags & ~none;
  label.write_tags = kind == SYNTH_EXCHANGE ? instruction.write_tags & ~none : 0;
  return label;
}

/* ---- Space ---------------------------------------------------------------------------------- */

enum { DEFAULT_EVENTS = 4, DEFAULT_THREADS = 3, DEFAULT_LOCATIONS = 2 };

#define SCOPED(scope) (1u << RSP_SCOPE_##scope)
#define ALIAS         (1u << 4) /* of PTX's proxies */

/* Words of options and of tests' names, by bit. */
static const char *const kind_words[] = { "load", "store", "rmw", "fence", "barrier", NULL };

static const char *const dependency_words[] = { "addr", "data", "ctrl", NULL };

static const char *const truths[] = { "false", "true", NULL };

guint rsp_synth_label_value (const RspLabel *label, SynthAttribute attribute) {
  return attribute == SYNTH_ORDER   ? label->order
         : attribute == SYNTH_SCOPE ? label->scope
                                    : (guint) label->word << 4 | label->form;
}

/* Sets the bits of the words in a list; NULL leaves them as they are. FALSE after an error. */
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
      g_autoptr (GString) all = g_string_new (NULL);
      for (w = 0; words[w]; w++)
        if (*words[w])
          g_string_append_printf (all, "%s%s", all->len ? ", " : "", words[w]);
      rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: `%s` is not one of %s", what, items[i],
                 all->str);
      return FALSE;
    }
    *bits |= 1u << w;
  }
  return TRUE;
}

/* ---- What the models can distinguish ---- */
/* A set that tells labels apart, and what the space has if a model uses it. */
typedef struct SeenSet {
  RspBaseSet set;
  guint orders, scopes, proxies, kinds;
} SeenSet;

static const SeenSet c_sets[] = {
  { RSP_BASE_SET_NA, .orders = ORDERED (NA) },
  { RSP_BASE_SET_A, .orders = ORDERED (NA) },
  { RSP_BASE_SET_NONATOMICLOC, .orders = ORDERED (NA) },
  { RSP_BASE_SET_ATOMICLOC, .orders = ORDERED (NA) },
  { RSP_BASE_SET_ACQ, .orders = ORDERED (ACQUIRE) },
  { RSP_BASE_SET_REL, .orders = ORDERED (RELEASE) },
  { RSP_BASE_SET_ACQ_REL, .orders = ORDERED (ACQ_REL) },
  { RSP_BASE_SET_SC, .orders = ORDERED (SEQ_CST) },
  { RSP_BASE_SET_WORK_GROUP_SCOPE, .scopes = SCOPED (WORK_GROUP) },
  { RSP_BASE_SET_DEVICE_SCOPE, .scopes = SCOPED (DEVICE) },
  { RSP_BASE_SET_ALL_SCOPE, .scopes = SCOPED (ALL) },
  { RSP_BASE_SET_RMW, .kinds = 1u << SYNTH_EXCHANGE },
  { RSP_BASE_SET_X, .kinds = 1u << SYNTH_EXCHANGE },
  { RSP_BASE_SET_F, .kinds = 1u << SYNTH_FENCE },
};

/* For languages with tags. */
static const SeenSet tagged_sets[] = {
  { RSP_BASE_SET_WEAK_TAG, .orders = ORDERED (NA) },
  { RSP_BASE_SET_RLX, .orders = ORDERED (NA) }, /* weak accesses are not in it */
  { RSP_BASE_SET_ACQ, .orders = ORDERED (ACQUIRE) },
  { RSP_BASE_SET_REL, .orders = ORDERED (RELEASE) },
  { RSP_BASE_SET_ACQ_REL, .orders = ORDERED (ACQ_REL) },
  { RSP_BASE_SET_SC, .orders = ORDERED (SEQ_CST) },
  { RSP_BASE_SET_CTA_TAG, .scopes = SCOPED (WORK_GROUP) },
  { RSP_BASE_SET_GPU_TAG, .scopes = SCOPED (DEVICE) },
  { RSP_BASE_SET_SYS_TAG, .scopes = SCOPED (ALL) },
  { RSP_BASE_SET_TEX_TAG, .orders = ORDERED (NA) | ORDERED (CONSUME), .proxies = 1u << 1 },
  { RSP_BASE_SET_SUR_TAG, .orders = ORDERED (NA) | ORDERED (CONSUME), .proxies = 1u << 2 },
  { RSP_BASE_SET_CON, .orders = ORDERED (NA) | ORDERED (CONSUME), .proxies = 1u << 3 },
  { RSP_BASE_SET_ALIAS_TAG, .orders = ORDERED (CONSUME), .proxies = ALIAS },
  { RSP_BASE_SET_NONPRIV_TAG, .orders = ORDERED (NA) },
  { RSP_BASE_SET_ATOM_TAG, .orders = ORDERED (CONSUME) | ORDERED (ACQ_REL) },
  { RSP_BASE_SET_SUB_GROUP_SCOPE, .scopes = SCOPED (SUB_GROUP) },
  { RSP_BASE_SET_WORK_GROUP_SCOPE, .scopes = SCOPED (WORK_GROUP) },
  { RSP_BASE_SET_QF_TAG, .scopes = SCOPED (DEVICE) },
  { RSP_BASE_SET_DEVICE_SCOPE, .scopes = SCOPED (ALL) },
  { RSP_BASE_SET_F, .kinds = 1u << SYNTH_FENCE },
};

static const guint kind_places[SYNTH_KINDS] = { [SYNTH_LOAD] = RSP_WORD_READ,
                                                [SYNTH_STORE] = RSP_WORD_WRITE,
                                                [SYNTH_EXCHANGE] = RSP_WORD_RMW,
                                                [SYNTH_FENCE] = RSP_WORD_FENCE,
                                                [SYNTH_BARRIER] = RSP_WORD_FENCE };

/* A word, with the operations that have it if the space has none of them; or a level's scope. A
 * fence has an order. */
static void add_word (SynthSpace *space, guint word) {
  const guint places = space->words.places[word];
  guint kinds = 0;
  for (guint kind = 0; kind < SYNTH_BARRIER; kind++)
    kinds |= places & kind_places[kind] ? 1u << kind : 0;
  space->kinds |= space->kinds & kinds ? 0 : kinds;
  if (space->kinds >> SYNTH_FENCE & 1
      && !(space->orders & synth_alphabet (space->language)->orders_of[SYNTH_FENCE]))
    space->orders |= ORDERED (ACQ_REL);
  space->spoken |= kinds ? 1u << word : 0;
  for (guint scope = RSP_N_SCOPES; scope < RSP_N_ALL_SCOPES; scope++)
    space->scopes |= places & rsp_levels[rsp_scopes[scope].level].own ? 1u << scope : 0;
}

static void add_seen (SynthSpace *space, const RspSeen *seen) {
  gboolean tagged = rsp_languages[space->language].tagged;
  const SeenSet *sets = tagged ? tagged_sets : c_sets;
  for (guint i = 0; i < (tagged ? G_N_ELEMENTS (tagged_sets) : G_N_ELEMENTS (c_sets)); i++)
    if (seen->sets[sets[i].set]) {
      space->orders |= sets[i].orders;
      space->scopes |= sets[i].scopes;
      space->proxies |= sets[i].proxies;
      space->kinds |= sets[i].kinds;
    }
  space->trees |= seen->levels != 0;
  for (guint i = 0; i < space->words.n; i++)
    if (seen->sets[RSP_BASE_SET_WORD_0 + i])
      add_word (space, i);
  if (tagged) {
    space->kinds |= seen->halves ? 1u << SYNTH_EXCHANGE : 0;
    return;
  }
  space->dependencies |= (seen->addr ? SYNTH_ADDR : 0u) | (seen->data ? SYNTH_DATA : 0u)
                         | (seen->ctrl ? SYNTH_CTRL : 0u);
}

/* ---- Labels ---- */
/* May operations of the label have the word, and does it say so in a test? */
static gboolean may_have_word (const SynthSpace *space, SynthKind kind, const RspLabel *label,
                               guint word) {
  if (!(space->spoken >> word & 1 && space->words.places[word] & kind_places[kind]))
    return FALSE;
  const ColumnsAlphabet *columns = rsp_columns_alphabet (&rsp_languages[space->language]);
  g_autofree char *instruction
      = columns ? synth_instruction (space->language, &space->words, kind, label) : NULL;
  return !columns || !rsp_columns_takes (columns, instruction, space->words.names[word]);
}

/* One without a word, and one with each that operations of the kind may have. */
static void add_labels (SynthSpace *space, SynthKind kind, guint order, guint scope, guint form) {
  gboolean tagged = rsp_languages[space->language].tagged;
  gboolean plain = (!tagged && order == RSP_ORDER_NA) || kind == SYNTH_BARRIER;
  RspLabel label = { (guint8) order, (guint8) scope, (guint8) form, 0, 0, 0 };
  if (tagged)
    label = synth_tagged_label (space->language, &space->words, kind, order, scope, form);
  if (tagged && !label.tags)
    return;
  for (guint word = 0; word <= (plain ? 0 : space->words.n); word++) {
    if (word && !may_have_word (space, kind, &label, word - 1))
      continue;
    label.word = (guint8) word;
    if (space->n_labels[kind] < SYNTH_MAX_LABELS)
      space->labels[kind][space->n_labels[kind]] = label;
    space->n_labels[kind]++; /* too many: see check_sizes */
  }
}

/* One for each scope of the space. */
static void add_scopes (SynthSpace *space, SynthKind kind, guint order, guint scopes) {
  for (guint i = 0; i < RSP_N_ALL_SCOPES; i++)
    if (scopes >> synth_scopes_by_width[i] & 1)
      add_labels (space, kind, order, synth_scopes_by_width[i], 0);
}

/* Other proxies have only weak accesses and proxy fences. A barrier without a scope in its word has
 * the scope work-group. */
static void add_tagged_order (SynthSpace *space, SynthKind kind, guint order) {
  const SynthAlphabet *alphabet = synth_alphabet (space->language);
  if (alphabet->patterns[kind] ? strstr (alphabet->patterns[kind][order], "$S") != NULL
                               : (alphabet->scoped >> order & 1) != 0)
    add_scopes (space, kind, order, space->scopes);
  else if (kind == SYNTH_BARRIER)
    add_labels (space, kind, order, RSP_SCOPE_WORK_GROUP, 0);
  else
    for (guint proxy = 0; alphabet->proxies[proxy]; proxy++)
      if (space->proxies >> proxy & 1 && (proxy || order == RSP_ORDER_NA))
        add_labels (space, kind, order, RSP_SCOPE_WORK_ITEM, proxy);
}

static void add_order (SynthSpace *space, SynthKind kind, guint order) {
  add_scopes (space, kind, order, order == RSP_ORDER_NA ? SCOPED (WORK_ITEM) : space->scopes);
}

/* The orders that operations of the kind have in the space. A barrier also does without. */
static guint orders_of (const SynthSpace *space, SynthKind kind) {
  guint needless = kind == SYNTH_BARRIER ? ORDERED (RELAXED) : 0;
  return synth_alphabet (space->language)->orders_of[kind] & (space->orders | needless);
}

/* Barriers of OpenCL have the scopes of the space, or else the scope work-group. */
static void fill_labels (SynthSpace *space) {
  gboolean tagged = rsp_languages[space->language].tagged;
  guint scopes = space->scopes & ~SCOPED (WORK_ITEM);
  if (!tagged)
    add_scopes (space, SYNTH_BARRIER, RSP_ORDER_ACQ_REL, scopes ? scopes : SCOPED (WORK_GROUP));
  for (guint kind = 0; kind < SYNTH_KINDS; kind++) {
    for (guint order = 0; order <= RSP_ORDER_SEQ_CST; order++)
      if (orders_of (space, (SynthKind) kind) >> order & 1)
        (tagged ? add_tagged_order : add_order) (space, (SynthKind) kind, order);
    if (space->n_labels[kind] == 0)
      space->kinds &= ~(1u << kind);
  }
}

/* ---- The space ---- */
static gboolean check_sizes (const SynthSpace *space, RspDiagnostics *diagnostics) {
  for (guint kind = 0; kind < SYNTH_KINDS; kind++)
    if ((space->kinds >> kind & 1) && space->n_labels[kind] > SYNTH_MAX_LABELS) {
      rsp_error (diagnostics, RSP_NOWHERE, "take fewer with `-orders`, `-scopes` and `-words`",
                 "operations of the kind `%s` would have %u forms, more than %d", kind_words[kind],
                 space->n_labels[kind], SYNTH_MAX_LABELS);
      return FALSE;
    }
  if (space->events + MIN (space->locations, space->events) > RSP_SHAPE_EVENTS)
    rsp_error (diagnostics, RSP_NOWHERE, "initial writes count: -events 6 -locations 2 is possible",
               "%u events on %u locations are more than %d in all", space->events, space->locations,
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

/* The words of the models, which all have now, and the levels among them. */
static void take_words (SynthSpace *space, const RspModel *model) {
  space->words.n = model->words->len;
  for (guint i = 0; i < space->words.n; i++) {
    const RspModelWord *word = &g_array_index (model->words, RspModelWord, i);
    const guint level = rsp_model_level (model, i);
    space->words.names[i] = word->name;
    space->words.places[i] = (guint8) word->places;
    if (level < RSP_N_LEVELS)
      space->words.scopes[level] = word->scope;
  }
}

/* The words of options, by number: those of operations, and the scopes. */
static void list_words (const SynthSpace *space, const char **words, const char **scopes) {
  for (guint i = 0; i < space->words.n; i++)
    words[i] = space->words.places[i] & RSP_WORD_ANYWHERE ? space->words.names[i] : "";
  words[space->words.n] = NULL;
  for (guint scope = 0; scope < RSP_N_ALL_SCOPES; scope++) {
    const char *word = synth_scope_word (space->language, &space->words, scope);
    scopes[scope] = word ? word : "";
  }
  scopes[RSP_N_ALL_SCOPES] = NULL;
}

/* The levels that trees have beside devices and work-groups: those of the space's scopes, and those
 * at which a model tells its programs apart, be it by a relation alone. FALSE after an error. */
static gboolean find_levels (SynthSpace *space, RspModel *const *models, guint n,
                             const RspStageOptions *options, RspDiagnostics *diagnostics) {
  const RspShape shape = { .language = space->language, .words = &space->words };
  gboolean scopes[RSP_N_BASE_SETS], here[RSP_N_BASE_SETS] = { FALSE };
  guint may = rsp_languages[space->language].optional_levels;
  space->levels = space->scopes & SCOPED (SUB_GROUP) ? 1u << RSP_LEVEL_SUB_GROUP : 0;
  for (guint scope = RSP_N_SCOPES; scope < RSP_N_ALL_SCOPES; scope++)
    if (space->scopes >> scope & 1)
      space->levels |= 1u << (rsp_scope_is_own (&space->words, scope) ? rsp_scopes[scope].level
                                                                      : RSP_LEVEL_KERNEL);
  for (guint kind = 0; kind < SYNTH_KINDS; kind++) {
    rsp_labels_scopes (&shape, space->labels[kind], space->n_labels[kind], scopes);
    for (guint s = 0; s < RSP_N_BASE_SETS; s++)
      here[s] |= scopes[s];
  }
  for (guint i = 0; i < n; i++) {
    RspSeen seen;
    if (!rsp_probe (models[i], space->language, options, here, &seen, diagnostics))
      return FALSE;
    space->levels |= seen.known ? seen.levels & may : 0;
    for (guint level = 0; level < RSP_N_LEVELS; level++)
      if (rsp_words_level (&space->words, level))
        space->levels |= seen.levels & 1u << level;
  }
  return TRUE;
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
  if (!rsp_models_share_words (models, n_models, diagnostics))
    return FALSE;
  if (n_models)
    take_words (space, models[0]);
  const char *words[RSP_MAX_WORDS + 1], *scopes[RSP_N_ALL_SCOPES + 1];
  list_words (space, words, scopes);
  for (guint i = 0; i < n_models; i++) {
    RspSeen seen;
    if (!rsp_probe (models[i], space->language, options, NULL, &seen, diagnostics))
      return FALSE;
    add_seen (space, &seen);
  }
  if (space->scopes && (space->scopes & (space->scopes - 1)) == 0) /* others than it are other */
    space->scopes |= space->scopes == SCOPED (DEVICE) ? SCOPED (WORK_GROUP) : SCOPED (DEVICE);
  const SynthAlphabet *alphabet = synth_alphabet (space->language);
  const RspLanguage *language = &rsp_languages[space->language];
  guint promotes = 0, trees = 1u << space->trees, remote = 0;
  gboolean none = g_strcmp0 (bounds->dependencies, "none") == 0;
  gboolean wordless = g_strcmp0 (bounds->words, "none") == 0;
  while (words[remote] && !g_str_equal (words[remote], "remote"))
    remote++;
  if (!read_words (bounds->kinds, kind_words, "-event-kinds", &space->kinds, diagnostics)
      || !read_words (none ? NULL : bounds->dependencies, dependency_words, "-dependencies",
                      &space->dependencies, diagnostics)
      || !read_words (bounds->orders, alphabet->orders, "-orders", &space->orders, diagnostics)
      || !read_words (bounds->scopes, scopes, "-scopes", &space->scopes, diagnostics)
      || !read_words (bounds->proxies, alphabet->proxies, "-proxies", &space->proxies, diagnostics)
      || !read_words (wordless ? NULL : bounds->words, words, "-words", &space->spoken, diagnostics)
      || !read_words (bounds->remote, truths, "-remote", &promotes, diagnostics)
      || !read_words (bounds->trees, truths, "-trees", &trees, diagnostics))
    return FALSE;
  space->spoken = wordless ? 0 : space->spoken;
  if (promotes)
    space->spoken = (space->spoken & ~(1u << remote)) | (promotes == 2 ? 1u << remote : 0);
  space->addresses = space->proxies & ALIAS ? 2 : 1;
  space->dependencies = none ? 0 : space->dependencies;
  space->opencl = space->scopes || space->spoken || space->regions || space->trees
                  || (space->kinds & 1u << SYNTH_BARRIER);
  space->trees = trees == 2;
  if (!space->scopes)
    space->scopes = SCOPED (DEVICE);
  if (language->tagged && (space->dependencies || space->regions)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "programs of %s have no dependencies or regions",
               language->word);
    return FALSE;
  }
  fill_labels (space);
  return check_sizes (space, diagnostics)
         && (!space->trees || find_levels (space, models, n_models, options, diagnostics));
}

static void append_words (GString *text, const char *title, guint bits, const char *const *words) {
  const char *separator = title;
  for (guint i = 0; words[i]; i++)
    if (bits >> i & 1) {
      g_string_append_printf (text, "%s%s", separator, words[i]);
      separator = ", ";
    }
}

/* " and sub-groups, clusters": what its trees have beside devices and work-groups. */
static void append_levels (GString *text, const SynthSpace *space, const char *sub_groups) {
  const char *separator = " and ";
  for (guint level = 0; level < RSP_N_LEVELS; level++) {
    if (!(space->levels >> level & 1))
      continue;
    const char *own = rsp_words_level (&space->words, level);
    g_string_append_printf (text, "%s%s%s", separator,
                            own                         ? own
                            : level == RSP_LEVEL_KERNEL ? "cluster"
                                                        : sub_groups,
                            own || level == RSP_LEVEL_KERNEL ? "s" : "");
    separator = ", ";
  }
}

char *rsp_synth_space_describe (const SynthSpace *space) {
  const SynthAlphabet *alphabet = synth_alphabet (space->language);
  const char *words[RSP_MAX_WORDS + 1], *scopes[RSP_N_ALL_SCOPES + 1];
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s programs of at most %u events, %u threads, %u locations",
                          rsp_languages[space->language].tagged
                              ? rsp_languages[space->language].word
                          : space->opencl ? "OpenCL"
                                          : "C",
                          space->events, space->threads, space->locations);
  append_words (text, "; events ", space->kinds, kind_words);
  append_words (text, "; orders ", space->orders, alphabet->orders);
  list_words (space, words, scopes);
  append_words (text, "; dependencies ", space->dependencies, dependency_words);
  if (rsp_languages[space->language].tagged) {
    append_words (text, "; scopes ", space->scopes, scopes);
    append_words (text, "; with ", space->spoken, words);
    if (alphabet->proxies[1])
      append_words (text, "; proxies ", space->proxies, alphabet->proxies);
    if (space->addresses > 1)
      g_string_append (text, "; two virtual addresses of a location");
    g_string_append_printf (text, "; %s", space->trees ? alphabet->trees : alphabet->no_trees);
    append_levels (text, space, "subgroups");
  } else if (space->opencl) {
    append_words (text, "; scopes ", space->scopes, scopes);
    append_words (text, "; with ", space->spoken, words);
    g_string_append (text, space->spoken ? "" : "; without remote");
    g_string_append (text, space->trees ? "; all trees of devices and work-groups"
                                        : "; each thread a work-group of one device");
    append_levels (text, space, "sub-groups");
    g_string_append (text, space->regions ? "; global and local memory" : "; global memory");
  }
  g_string_append (text, space->everywhere ? "; at all placements" : "");
  return g_string_free (text, FALSE);
}
