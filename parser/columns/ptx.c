/* PTX: its instructions, by forms and suffixes. */
#include "parser/columns/columns.h"

/* PTX's instructions (PTX ISA 9.0, section 8, and its proxies). */

#define TAG(id) RSP_TAG_BIT (id)

enum { MARK_PROXY = 1, MARK_MBARRIER };

enum { ACCESS_SYNC, ACCESS_ARRIVE };

#define LOADS          (COLUMNS_WEAK | COLUMNS_RELAXED | COLUMNS_ACQUIRE)
#define STORES         (COLUMNS_WEAK | COLUMNS_RELAXED | COLUMNS_RELEASE)
#define VOLATILE       COLUMNS_VOLATILE
#define RMWS           (COLUMNS_RELAXED | COLUMNS_ACQUIRE | COLUMNS_RELEASE | COLUMNS_ACQ_REL)
#define FENCES         (COLUMNS_ACQUIRE | COLUMNS_RELEASE | COLUMNS_ACQ_REL | COLUMNS_SC)
#define TYPED          (COLUMNS_KIND (SPACE) | COLUMNS_KIND (TYPE))
#define ORDER_SCOPE    (COLUMNS_KIND (ORDER) | COLUMNS_KIND (SCOPE))
#define ACCESS_SUFFIX  (ORDER_SCOPE | TYPED)
#define MMIO_SUFFIX    (ACCESS_SUFFIX | COLUMNS_KIND (MMIO))
#define RMW_NEEDS      (ORDER_SCOPE | COLUMNS_KIND (OP))
#define RMW_SUFFIX     (RMW_NEEDS | TYPED)
#define BARRIER_SUFFIX (COLUMNS_KIND (SCOPE) | COLUMNS_KIND (ACCESS))

static const ColumnsForm forms[] = {
  { "ld", COLUMNS_LOAD, LOADS | VOLATILE, MMIO_SUFFIX, 0, TAG (GEN) },
  { "tld", COLUMNS_LOAD, LOADS, ACCESS_SUFFIX, 0, TAG (TEX) },
  { "suld", COLUMNS_LOAD, LOADS, ACCESS_SUFFIX, 0, TAG (SUR) },
  { "cold", COLUMNS_LOAD, LOADS, ACCESS_SUFFIX, 0, TAG (CON) },
  { "st", COLUMNS_STORE, STORES | VOLATILE, MMIO_SUFFIX, 0, TAG (GEN) },
  { "sust", COLUMNS_STORE, STORES, ACCESS_SUFFIX, 0, TAG (SUR) },
  { "atom", COLUMNS_FETCH, RMWS, RMW_SUFFIX, RMW_NEEDS, TAG (GEN) },
  { "red", COLUMNS_REDUCE, RMWS, RMW_SUFFIX, RMW_NEEDS, TAG (GEN) },
  { "suatom", COLUMNS_FETCH, RMWS, RMW_SUFFIX, RMW_NEEDS, TAG (SUR) },
  { "sured", COLUMNS_REDUCE, RMWS, RMW_SUFFIX, RMW_NEEDS, TAG (SUR) },
  { "fence", COLUMNS_FENCE, FENCES, ORDER_SCOPE | COLUMNS_KIND (MARK) | COLUMNS_KIND (CLASS), 0,
    0 },
  { "membar", COLUMNS_FENCE, 0, COLUMNS_KIND (SCOPE) | COLUMNS_KIND (GL), 0, TAG (SC) },
  { "bar", COLUMNS_BARRIER, 0, BARRIER_SUFFIX, COLUMNS_KIND (ACCESS), TAG (CTA) },
  { "barrier", COLUMNS_BARRIER, 0, BARRIER_SUFFIX, COLUMNS_KIND (ACCESS), TAG (CTA) },
  { "mbarrier", COLUMNS_MBARRIER, COLUMNS_RELAXED | COLUMNS_ACQUIRE | COLUMNS_RELEASE,
    ACCESS_SUFFIX | COLUMNS_KIND (ACCESS) | COLUMNS_KIND (PHASE) | COLUMNS_KIND (TX)
        | COLUMNS_KIND (PARITY),
    0, TAG (GEN) | TAG (MBAR) },
  { .word = NULL },
};

#define TYPES(letter)                                                                              \
  { letter "8", COLUMNS_TYPE, 0, 0 }, { letter "16", COLUMNS_TYPE, 0, 0 },                         \
      { letter "32", COLUMNS_TYPE, 0, 0 }, {                                                       \
    letter "64", COLUMNS_TYPE, 0, 0                                                                \
  }

static const ColumnsSuffix suffixes[] = {
  { "weak", COLUMNS_ORDER, COLUMNS_WEAK, 0 },
  { "relaxed", COLUMNS_ORDER, COLUMNS_RELAXED, 0 },
  { "acquire", COLUMNS_ORDER, COLUMNS_ACQUIRE, 0 },
  { "release", COLUMNS_ORDER, COLUMNS_RELEASE, 0 },
  { "acq_rel", COLUMNS_ORDER, COLUMNS_ACQ_REL, 0 },
  { "sc", COLUMNS_ORDER, COLUMNS_SC, 0 },
  { "volatile", COLUMNS_ORDER, VOLATILE, TAG (SYS) },
  { "mmio", COLUMNS_MMIO, 0, 0 },
  { "cta", COLUMNS_SCOPE, RSP_LEVEL_WORK_GROUP, TAG (CTA) },
  { "cluster", COLUMNS_SCOPE, RSP_LEVEL_KERNEL, TAG (CLUSTER) },
  { "gpu", COLUMNS_SCOPE, RSP_LEVEL_DEVICE, TAG (GPU) },
  { "sys", COLUMNS_SCOPE, RSP_LEVEL_SYSTEM, TAG (SYS) },
  { "gl", COLUMNS_GL, RSP_LEVEL_DEVICE, TAG (GPU) },
  COLUMNS_OPERATIONS,
  { "proxy", COLUMNS_MARK, MARK_PROXY, 0 },
  { "generic", COLUMNS_CLASS, 0, TAG (GEN) },
  { "constant", COLUMNS_CLASS, 0, TAG (CON) },
  { "texture", COLUMNS_CLASS, 0, TAG (TEX) },
  { "surface", COLUMNS_CLASS, 0, TAG (SUR) },
  { "alias", COLUMNS_CLASS, 0, TAG (ALIAS) },
  { "global", COLUMNS_SPACE, 0, 0 },
  { "shared", COLUMNS_SPACE, 0, 0 },
  { "shared::cta", COLUMNS_SPACE, 0, 0 },
  { "shared::cluster", COLUMNS_SPACE, 0, 0 },
  { "sync", COLUMNS_ACCESS, ACCESS_SYNC, 0 },
  { "arrive", COLUMNS_ACCESS, ACCESS_ARRIVE, TAG (ARRIVE) },
#define MBARRIER(word, operation)                                                                  \
  { word, COLUMNS_PHASE, COLUMNS_MBARRIER_##operation, 0 }
  MBARRIER ("init", INIT),
  MBARRIER ("inval", INVAL),
  MBARRIER ("arrive_drop", DROP),
  MBARRIER ("complete_tx", COMPLETE),
  MBARRIER ("test_wait", TEST),
  MBARRIER ("try_wait", TRY),
  MBARRIER ("pending_count", PENDING),
  { "expect_tx", COLUMNS_TX, 0, 0 },
  { "parity", COLUMNS_PARITY, 0, 0 },
  { "mbarrier_init", COLUMNS_MARK, MARK_MBARRIER, 0 },
  TYPES ("b"),
  TYPES ("u"),
  TYPES ("s"),
  { "f16", COLUMNS_TYPE, 0, 0 },
  { "f32", COLUMNS_TYPE, 0, 0 },
  { "f64", COLUMNS_TYPE, 0, 0 },
  { .word = NULL },
};

static const char *const kinds[COLUMNS_N_KINDS] = {
  [COLUMNS_ORDER] = "an order, such as `.acq_rel`",
  [COLUMNS_SCOPE] = "a scope: `.cta`, `.cluster`, `.gpu` or `.sys`",
  [COLUMNS_GL] = "a scope: `.cta`, `.gl` or `.sys`",
  [COLUMNS_OP] = "an operation, such as `.add`, `.exch` or `.cas`",
  [COLUMNS_CLASS] = "a proxy, such as `.texture`, or `.alias`",
  [COLUMNS_ACCESS] = "`.sync` or `.arrive`",
  [COLUMNS_PHASE] = "an operation: `.init`, `.arrive`, `.expect_tx`, `.try_wait`, …",
};

/* `ld.mmio.relaxed.sys` is the only load of its kind; the same of stores. */
static gboolean check_mmio (const ColumnsWords *words, guint order, const ColumnsInstruction *out) {
  if (!rsp_columns_has (words, COLUMNS_MMIO)
      || (order == COLUMNS_RELAXED && out->reach == RSP_LEVEL_SYSTEM))
    return TRUE;
  rsp_error (words->test->diagnostics, words->spans[COLUMNS_MMIO],
             "it is relaxed, and its scope sys", "expected `%s.mmio.relaxed.sys`",
             words->form->word);
  return FALSE;
}

/* Weak accesses have no scope, and all others have one; that of volatile ones, which are relaxed,
 * is the system. */
static gboolean finish_access (const ColumnsWords *words, guint order, ColumnsInstruction *out) {
  gboolean weak = order == COLUMNS_WEAK, is_volatile = order == VOLATILE;
  guint64 strong = order == COLUMNS_ACQUIRE   ? TAG (ACQ)
                   : order == COLUMNS_RELEASE ? TAG (REL)
                                              : TAG (RLX);
  out->tags = words->form->tags | (weak ? TAG (WEAK) : strong)
              | rsp_columns_tags (words, is_volatile ? COLUMNS_ORDER : COLUMNS_SCOPE);
  out->reach = is_volatile ? RSP_LEVEL_SYSTEM : out->reach;
  return rsp_columns_demand (words, COLUMNS_SCOPE, !weak && !is_volatile,
                             weak          ? "weak"
                             : is_volatile ? "volatile"
                                           : "strong")
         && check_mmio (words, order, out);
}

static gboolean finish_rmw (const ColumnsWords *words, guint order, ColumnsInstruction *out) {
  guint64 both = words->form->tags | rsp_columns_tags (words, COLUMNS_SCOPE);
  gboolean acquires = order == COLUMNS_ACQUIRE || order == COLUMNS_ACQ_REL;
  gboolean releases = order == COLUMNS_RELEASE || order == COLUMNS_ACQ_REL;
  out->tags = both | (acquires ? TAG (ACQ) : TAG (RLX));
  out->write_tags = both | (releases ? TAG (REL) : TAG (RLX));
  return TRUE;
}

/* A fence.sc is a fence.acq_rel as well, which a fence without an order is. */
static guint64 fence_tags (guint order) {
  return order == COLUMNS_ACQUIRE   ? TAG (ACQ)
         : order == COLUMNS_RELEASE ? TAG (REL)
                                    : TAG (ACQ_REL) | (order == COLUMNS_SC ? TAG (SC) : 0);
}

/* `fence.mbarrier_init.release.cluster` is the only fence of its kind. */
static gboolean finish_init_fence (const ColumnsWords *words, guint order,
                                   ColumnsInstruction *out) {
  out->tags = TAG (GEN) | TAG (MBINIT) | TAG (CLUSTER);
  if (order == COLUMNS_RELEASE && out->reach == RSP_LEVEL_KERNEL)
    return TRUE;
  rsp_error (words->test->diagnostics, words->spans[COLUMNS_MARK],
             "it is a release, and its scope cluster",
             "expected `fence.mbarrier_init.release.cluster`");
  return FALSE;
}

static gboolean finish_fence (const ColumnsWords *words, guint order, ColumnsInstruction *out) {
  if (rsp_columns_value (words, COLUMNS_MARK, 0) == MARK_MBARRIER)
    return finish_init_fence (words, order, out);
  gboolean proxy = rsp_columns_has (words, COLUMNS_MARK);
  const char *as = proxy ? "proxy" : "memory";
  out->tags = proxy ? rsp_columns_tags (words, COLUMNS_CLASS)
                    : TAG (GEN) | fence_tags (order) | rsp_columns_tags (words, COLUMNS_SCOPE);
  return !(proxy && !rsp_columns_demand (words, COLUMNS_ORDER, FALSE, as))
         && rsp_columns_demand (words, COLUMNS_SCOPE, !proxy, as)
         && rsp_columns_demand (words, COLUMNS_CLASS, proxy, as);
}

/* A fence.sc, whose scope gpu is called gl. */
static gboolean finish_membar (const ColumnsWords *words, ColumnsInstruction *out) {
  guint64 scope = rsp_columns_tags (words, COLUMNS_SCOPE);
  gboolean named = (scope & (TAG (CTA) | TAG (SYS))) != 0;
  out->tags = TAG (GEN) | fence_tags (COLUMNS_SC) | scope | rsp_columns_tags (words, COLUMNS_GL);
  out->reach = (RspLevel) rsp_columns_value (words, COLUMNS_GL, out->reach);
  return rsp_columns_demand (words, COLUMNS_GL, !named, "")
         && (named || rsp_columns_demand (words, COLUMNS_SCOPE, FALSE, ""));
}

static gboolean finish_barrier (const ColumnsWords *words, ColumnsInstruction *out) {
  out->tags = words->form->tags | rsp_columns_tags (words, COLUMNS_ACCESS);
  out->reach = RSP_LEVEL_WORK_GROUP;
  out->arrives = words->suffixes[COLUMNS_ACCESS]->value == ACCESS_ARRIVE;
  if (rsp_columns_value (words, COLUMNS_SCOPE, out->reach) == out->reach)
    return TRUE;
  rsp_error (words->test->diagnostics, words->spans[COLUMNS_SCOPE], NULL,
             "found `.%s`, expected `.cta`: a barrier is one of a cta",
             words->suffixes[COLUMNS_SCOPE]->word);
  return FALSE;
}

/* ---- Mbarriers ---- */
/* The orders that the operation may have; 0: none, nor a scope. The first is that of one without.
 */
static guint mbarrier_orders (ColumnsMbarrier operation) {
  switch (operation) {
  case COLUMNS_MBARRIER_ARRIVE:
  case COLUMNS_MBARRIER_DROP:
    return COLUMNS_RELEASE | COLUMNS_RELAXED;
  case COLUMNS_MBARRIER_EXPECT:
  case COLUMNS_MBARRIER_COMPLETE:
    return COLUMNS_RELAXED;
  case COLUMNS_MBARRIER_TEST:
  case COLUMNS_MBARRIER_TRY:
    return COLUMNS_ACQUIRE | COLUMNS_RELAXED;
  case COLUMNS_MBARRIER_INIT:
  case COLUMNS_MBARRIER_INVAL:
  case COLUMNS_MBARRIER_PENDING:
    return 0;
  }
  g_assert_not_reached ();
}

/* FALSE, with an error, if there is a suffix of the kind though the operation cannot have it. */
static gboolean check_suffix (const ColumnsWords *words, ColumnsKind kind, gboolean allowed,
                              const char *operation, const char *hint) {
  if (allowed || !rsp_columns_has (words, kind))
    return TRUE;
  rsp_error (words->test->diagnostics, words->spans[kind], hint,
             "found `.%s`, which `mbarrier.%s` cannot have", words->suffixes[kind]->word,
             operation);
  return FALSE;
}

/* What the suffixes ask for; FALSE after an error. */
static gboolean find_operation (const ColumnsWords *words, ColumnsInstruction *out,
                                const char **operation) {
  gboolean arrives = rsp_columns_value (words, COLUMNS_ACCESS, ACCESS_SYNC) == ACCESS_ARRIVE;
  gboolean has_phase = rsp_columns_has (words, COLUMNS_PHASE);
  out->expects = rsp_columns_has (words, COLUMNS_TX);
  out->by_parity = rsp_columns_has (words, COLUMNS_PARITY);
  out->mbarrier = (ColumnsMbarrier) rsp_columns_value (
      words, COLUMNS_PHASE, arrives ? COLUMNS_MBARRIER_ARRIVE : COLUMNS_MBARRIER_EXPECT);
  *operation = has_phase ? words->suffixes[COLUMNS_PHASE]->word : arrives ? "arrive" : "expect_tx";
  return rsp_columns_demand (words, COLUMNS_PHASE, has_phase || !(arrives || out->expects), "")
         && check_suffix (words, COLUMNS_ACCESS, arrives && !has_phase, *operation, NULL);
}

/* Arrivals release and tests acquire at scope cta, unless they say otherwise. */
static gboolean finish_mbarrier (const ColumnsWords *words, ColumnsInstruction *out) {
  const char *operation;
  if (!find_operation (words, out, &operation))
    return FALSE;
  guint orders = mbarrier_orders (out->mbarrier);
  guint order = rsp_columns_value (words, COLUMNS_ORDER, orders & ~(guint) COLUMNS_RELAXED);
  gboolean scoped = rsp_columns_has (words, COLUMNS_SCOPE);
  guint64 all = words->form->tags
                | (!orders  ? TAG (WEAK)
                   : scoped ? rsp_columns_tags (words, COLUMNS_SCOPE)
                            : TAG (CTA));
  gboolean wide = out->reach == RSP_LEVEL_DEVICE || out->reach == RSP_LEVEL_SYSTEM;
  out->reach = orders && !scoped ? RSP_LEVEL_WORK_GROUP : out->reach;
  out->failing_tags = all | TAG (RLX);
  out->tags = all | (!orders ? TAG (MBINIT) : order == COLUMNS_ACQUIRE ? TAG (ACQ) : TAG (RLX));
  out->write_tags = all | (order == COLUMNS_RELEASE ? TAG (REL) : TAG (RLX));
  return check_suffix (words, COLUMNS_ORDER, (orders & order) != 0, operation, NULL)
         && check_suffix (words, COLUMNS_SCOPE, orders && !wide, operation,
                          orders ? "its scope is `.cta` or `.cluster`" : NULL)
         && check_suffix (words, COLUMNS_PARITY, (orders & COLUMNS_ACQUIRE) != 0, operation, NULL)
         && check_suffix (words, COLUMNS_TX,
                          orders & COLUMNS_RELEASE || out->mbarrier == COLUMNS_MBARRIER_EXPECT,
                          operation, NULL);
}

/* What PTX 7.5 has not. */
static gboolean is_newer (const ColumnsWords *words) {
  guint order = rsp_columns_value (words, COLUMNS_ORDER, 0);
  return rsp_columns_tags (words, COLUMNS_SCOPE) & TAG (CLUSTER) || order == VOLATILE
         || rsp_columns_has (words, COLUMNS_MMIO) || rsp_columns_has (words, COLUMNS_SPACE)
         || rsp_columns_has (words, COLUMNS_TYPE) || words->form->action == COLUMNS_MBARRIER
         || (words->form->action == COLUMNS_FENCE && !rsp_columns_has (words, COLUMNS_MARK)
             && order != COLUMNS_ACQ_REL && order != COLUMNS_SC);
}

static gboolean finish (const ColumnsWords *words, ColumnsInstruction *out) {
  guint order = rsp_columns_value (words, COLUMNS_ORDER, COLUMNS_WEAK);
  out->newer = is_newer (words);
  switch (out->action) {
  case COLUMNS_LOAD:
  case COLUMNS_STORE:
    return finish_access (words, order, out);
  case COLUMNS_FETCH:
  case COLUMNS_REDUCE:
    return finish_rmw (words, order, out);
  case COLUMNS_FENCE:
    return words->form->tags ? finish_membar (words, out) : finish_fence (words, order, out);
  case COLUMNS_BARRIER:
    return finish_barrier (words, out);
  case COLUMNS_MBARRIER:
    return finish_mbarrier (words, out);
  }
  g_assert_not_reached ();
}

/* ---- Stronger and weaker ---- */
enum {
  STRONG = 1,
  ACQUIRES = 2,
  RELEASES = 4,
  IS_SC = 8,
  OF_ALIASES = 16,
  OF_CONSTANTS = 32,
  OF_TEXTURES = 64,
  OF_SURFACES = 128
};

static const ColumnsStrength strengths[] = {
  { COLUMNS_LOAD, "weak", 0, FALSE, FALSE },
  { COLUMNS_LOAD, "relaxed", STRONG, TRUE, FALSE },
  { COLUMNS_LOAD, "acquire", STRONG | ACQUIRES, TRUE, FALSE },
  { COLUMNS_STORE, "weak", 0, FALSE, FALSE },
  { COLUMNS_STORE, "relaxed", STRONG, TRUE, FALSE },
  { COLUMNS_STORE, "release", STRONG | RELEASES, TRUE, FALSE },
#define RMW(action)                                                                                \
  { action, "relaxed", STRONG, TRUE, FALSE },                                                      \
      { action, "acquire", STRONG | ACQUIRES, TRUE, FALSE },                                       \
      { action, "release", STRONG | RELEASES, TRUE, FALSE },                                       \
      { action, "acq_rel", STRONG | ACQUIRES | RELEASES, TRUE, FALSE },
  RMW (COLUMNS_FETCH)
      RMW (COLUMNS_REDUCE){ COLUMNS_FENCE, "acq_rel", STRONG | ACQUIRES | RELEASES, TRUE, FALSE },
  { COLUMNS_FENCE, "sc", STRONG | ACQUIRES | RELEASES | IS_SC, TRUE, FALSE },
  { .words = NULL },
};

static const ColumnsFence fences[] = {
  { "fence.acq_rel.$S", STRONG | ACQUIRES | RELEASES, 0 },
  { "fence.sc.$S", STRONG | ACQUIRES | RELEASES | IS_SC, 0 },
  { "fence.proxy.alias", OF_ALIASES, TAG (ALIAS) },
  { "fence.proxy.constant", OF_CONSTANTS, TAG (CON) },
  { "fence.proxy.texture", OF_TEXTURES, TAG (TEX) },
  { "fence.proxy.surface", OF_SURFACES, TAG (SUR) },
  { .words = NULL },
};

const ColumnsAlphabet rsp_ptx_alphabet = {
  .place_hint = "a place is written `P0@cta 0, gpu 0`",
  .plain = "weak",
  .has_mbarriers = TRUE,
  .forms = forms,
  .suffixes = suffixes,
  .kinds = kinds,
  .finish = finish,
  .strengths = strengths,
  .fences = fences,
};
