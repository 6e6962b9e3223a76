#include "synth/programs/alphabet.h"

#include <string.h>

#define ORDERED(order) (1u << RSP_ORDER_##order)

/* ---- OpenCL and C: the orders that C11 allows for each kind ---- */

static const char *const c_orders[] = { "na", "rlx", "con", "acq", "rel", "ar", "sc", NULL };
static const char *const c_scopes[] = { "wi", "sg", "wg", "dev", "all", NULL };
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

/* ---- PTX. A proxy fence has the place of consume: neither weaker nor stronger than any other ---- */

static const char *const ptx_orders[]
    = { "weak", "relaxed", "proxy", "acquire", "release", "acq_rel", "sc", NULL };
static const char *const ptx_scopes[] = { "", "", "cta", "gpu", "sys", NULL };
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

/* ---- Vulkan: one storage class. Availability and visibility have the place of relaxed, atomic operations
 * that of consume. What acquires or releases has semantics for the class, and makes visible or available ---- */

static const char *const vulkan_orders[]
    = { "private", "avvis", "atom", "acq", "rel", "acq_rel", "", NULL };
static const char *const vulkan_scopes[] = { "", "sg", "wg", "qf", "dv", NULL };
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

const SynthAlphabet *synth_alphabet (RspLanguageId language) {
  switch (language) {
  case RSP_LANGUAGE_PTX:
    return &ptx_alphabet;
  case RSP_LANGUAGE_VULKAN:
    return &vulkan_alphabet;
  default:
    return &c_alphabet;
  }
}

/* ---- Instructions ---- */

gboolean synth_has_scope (const SynthAlphabet *alphabet, SynthKind kind, guint order) {
  return alphabet->patterns[kind] ? strstr (alphabet->patterns[kind][order], "$S") != NULL
                                  : (alphabet->scoped >> order & 1) != 0;
}

char *synth_instruction (RspLanguageId language, SynthKind kind, const RspLabel *label) {
  const SynthAlphabet *alphabet = synth_alphabet (language);
  const char *scope = alphabet->scopes[label->scope];
  if (alphabet->patterns[kind]) {
    g_auto (GStrv) parts = g_strsplit (alphabet->patterns[kind][label->order], "$S", -1);
    return g_strjoinv (scope, parts);
  }
  GString *word = g_string_new (alphabet->forms[kind][label->remote]);
  g_string_append_printf (word, ".%s", alphabet->orders[label->order]);
  if (kind == SYNTH_FENCE && label->remote)
    g_string_append_printf (word, ".%s", alphabet->proxies[label->remote]);
  else if (*scope)
    g_string_append_printf (word, ".%s", scope);
  return g_string_free (word, FALSE);
}

gboolean rsp_synth_decode (RspLanguageId language, SynthKind kind, const RspLabel *label,
                           ColumnsInstruction *instruction) {
  g_autoptr (RspDiagnostics) ignored = rsp_diagnostics_new ();
  g_autofree char *word = synth_instruction (language, kind, label);
  return rsp_columns_instruction (&rsp_languages[language], word, instruction, ignored);
}

RspLabel synth_tagged_label (RspLanguageId language, SynthKind kind, guint order, guint scope,
                             guint proxy) {
  RspLabel label = { (guint8) order, (guint8) scope, (guint8) proxy, 0, 0 };
  const SynthAlphabet *alphabet = synth_alphabet (language);
  if (alphabet->patterns[kind] ? proxy || !(alphabet->orders_of[kind] >> order & 1)
                               : !alphabet->forms[kind] || !alphabet->forms[kind][proxy])
    return label;
  ColumnsInstruction instruction;
  if (!rsp_synth_decode (language, kind, &label, &instruction))
    return label;
  label.tags = instruction.tags;
  label.write_tags = kind == SYNTH_EXCHANGE ? instruction.write_tags : 0;
  return label;
}
