/* PTX: its instructions, by forms and suffixes. */
#include "parser/columns/columns.h"

#include <string.h>

/* PTX's instructions (PTX ISA 9.0, section 8, and its proxies). */

#define TAG(id) RSP_TAG_BIT (id)

enum { MARK_PROXY = 1, MARK_MBARRIER };

enum { CACHE_ALL, CACHE_GLOBAL };

enum { COMPLETES_GROUP, COMPLETES_MBARRIER, COMPLETES_EXPECTED };

enum { ACCESS_SYNC, ACCESS_ARRIVE, ACCESS_WAIT, ACCESS_RED };

#define LOADS         (COLUMNS_WEAK | COLUMNS_RELAXED | COLUMNS_ACQUIRE)
#define STORES        (COLUMNS_WEAK | COLUMNS_RELAXED | COLUMNS_RELEASE)
#define VOLATILE      COLUMNS_VOLATILE
#define RMWS          (COLUMNS_RELAXED | COLUMNS_ACQUIRE | COLUMNS_RELEASE | COLUMNS_ACQ_REL)
#define FENCES        (COLUMNS_ACQUIRE | COLUMNS_RELEASE | COLUMNS_ACQ_REL | COLUMNS_SC)
#define TYPED         (COLUMNS_KIND (SPACE) | COLUMNS_KIND (TYPE))
#define ORDER_SCOPE   (COLUMNS_KIND (ORDER) | COLUMNS_KIND (SCOPE))
#define ACCESS_SUFFIX (ORDER_SCOPE | TYPED)
#define MMIO_SUFFIX   (ACCESS_SUFFIX | COLUMNS_KIND (MMIO))
#define RMW_NEEDS     (ORDER_SCOPE | COLUMNS_KIND (OP))
#define RMW_SUFFIX    (RMW_NEEDS | TYPED)
#define BARRIER_SUFFIX                                                                             \
  (COLUMNS_KIND (SCOPE) | COLUMNS_KIND (ACCESS) | COLUMNS_KIND (REDUCTION) | COLUMNS_KIND (TYPE))
#define SPACES      (COLUMNS_KIND (SPACE) | COLUMNS_KIND (SOURCE))
#define BULK_SUFFIX (SPACES | COLUMNS_KIND (COMPLETION))
#define ANYWHERE    (TAG (GLOBALMEM) | TAG (SHAREDMEM))

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
  { "bar", COLUMNS_BARRIER, 0, BARRIER_SUFFIX | COLUMNS_KIND (WARP), COLUMNS_KIND (ACCESS),
    TAG (CTA) },
  { "barrier", COLUMNS_BARRIER, COLUMNS_RELAXED | COLUMNS_ACQUIRE | COLUMNS_RELEASE,
    BARRIER_SUFFIX | COLUMNS_KIND (ORDER) | COLUMNS_KIND (ALIGNED), COLUMNS_KIND (ACCESS), 0 },
  /* Proxy fences between the generic proxy and another one, both ways and one way. */
  { "fence.proxy.async", COLUMNS_FENCE, 0, COLUMNS_KIND (SPACE), 0, TAG (ASYNC) },
  { "fence.proxy.async::generic", COLUMNS_FENCE, COLUMNS_ACQUIRE | COLUMNS_RELEASE,
    ORDER_SCOPE | COLUMNS_KIND (RESTRICT), ORDER_SCOPE | COLUMNS_KIND (RESTRICT), TAG (ASYNC) },
  { "fence.proxy.tensormap::generic", COLUMNS_FENCE, COLUMNS_ACQUIRE | COLUMNS_RELEASE, ORDER_SCOPE,
    ORDER_SCOPE, TAG (TENSORMAP) },
  { "tmld", COLUMNS_LOAD, COLUMNS_WEAK, COLUMNS_KIND (ORDER) | TYPED, 0, TAG (TENSORMAP) },
  /* Asynchronous copies: by the generic proxy, and in bulk by the async proxy. */
  { "cp.async", COLUMNS_COPY, 0, SPACES | COLUMNS_KIND (CACHE), SPACES | COLUMNS_KIND (CACHE),
    TAG (GEN) },
  { "cp.async.bulk", COLUMNS_COPY, 0, BULK_SUFFIX, BULK_SUFFIX, TAG (ASYNC) },
  { "cp.reduce.async.bulk", COLUMNS_COPY, 0, BULK_SUFFIX | COLUMNS_KIND (OP) | COLUMNS_KIND (TYPE),
    BULK_SUFFIX | COLUMNS_KIND (OP), TAG (ASYNC) },
  { "cp.async.commit_group", COLUMNS_FENCE, 0, 0, 0, TAG (GEN) | TAG (GROUP) },
  { "cp.async.bulk.commit_group", COLUMNS_FENCE, 0, 0, 0, TAG (ASYNC) | TAG (GROUP) },
  { "cp.async.mbarrier.arrive", COLUMNS_COPIES, 0, COLUMNS_KIND (COMPLETION) | TYPED, 0,
    TAG (GEN) | TAG (MBAR) | TAG (CTA) },
  { "cp.async.wait_group", COLUMNS_WAIT, 0, 0, 0, TAG (GEN) },
  { "cp.async.wait_all", COLUMNS_WAIT, 0, 0, 0, TAG (GEN) },
  { "cp.async.bulk.wait_group", COLUMNS_WAIT, 0, COLUMNS_KIND (READ), 0, TAG (ASYNC) | TAG (DONE) },
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
  { "gl", COLUMNS_GL, RSP_LEVEL_DEVICE, TAG (GPU) },
  { "sys", COLUMNS_SCOPE, RSP_LEVEL_SYSTEM, TAG (SYS) },
  COLUMNS_OPERATIONS,
  { "proxy", COLUMNS_MARK, MARK_PROXY, 0 },
  { "generic", COLUMNS_CLASS, 0, TAG (GEN) },
  { "constant", COLUMNS_CLASS, 0, TAG (CON) },
  { "texture", COLUMNS_CLASS, 0, TAG (TEX) },
  { "surface", COLUMNS_CLASS, 0, TAG (SUR) },
  { "alias", COLUMNS_CLASS, 0, TAG (ALIAS) },
  { "global", COLUMNS_SPACE, 0, TAG (GLOBALMEM) },
  { "shared", COLUMNS_SPACE, 0, TAG (SHAREDMEM) },
  { "shared::cta", COLUMNS_SPACE, 0, TAG (SHAREDMEM) },
  { "shared::cluster", COLUMNS_SPACE, 0, TAG (SHAREDMEM) },
  { "global", COLUMNS_SOURCE, 0, TAG (GLOBALMEM) },
  { "shared::cta", COLUMNS_SOURCE, 0, TAG (SHAREDMEM) },
  { "ca", COLUMNS_CACHE, CACHE_ALL, 0 },
  { "cg", COLUMNS_CACHE, CACHE_GLOBAL, 0 },
  { "bulk_group", COLUMNS_COMPLETION, COMPLETES_GROUP, TAG (GROUP) },
  { "mbarrier::complete_tx::bytes", COLUMNS_COMPLETION, COMPLETES_MBARRIER, 0 },
  { "noinc", COLUMNS_COMPLETION, COMPLETES_EXPECTED, 0 },
  { "read", COLUMNS_READ, 0, 0 },
  { "sync_restrict::shared::cta", COLUMNS_RESTRICT, COLUMNS_RELEASE, 0 },
  { "sync_restrict::shared::cluster", COLUMNS_RESTRICT, COLUMNS_ACQUIRE, 0 },
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
  { "wait", COLUMNS_ACCESS, ACCESS_WAIT, 0 },
  { "red", COLUMNS_ACCESS, ACCESS_RED, 0 },
  { "popc", COLUMNS_REDUCTION, RSP_OP_ADD, 0 },
  { "and", COLUMNS_REDUCTION, RSP_OP_AND, 0 },
  { "or", COLUMNS_REDUCTION, RSP_OP_OR, 0 },
  { "warp", COLUMNS_WARP, 0, 0 },
  { "aligned", COLUMNS_ALIGNED, 0, 0 },
  { "expect_tx", COLUMNS_TX, 0, 0 },
  { "parity", COLUMNS_PARITY, 0, 0 },
  { "mbarrier_init", COLUMNS_MARK, MARK_MBARRIER, 0 },
  TYPES ("b"),
  TYPES ("u"),
  TYPES ("s"),
  { "f16", COLUMNS_TYPE, 0, 0 },
  { "f32", COLUMNS_TYPE, 0, 0 },
  { "f64", COLUMNS_TYPE, 0, 0 },
  { "pred", COLUMNS_TYPE, 0, 0 },
  { .word = NULL },
};

static const char *const kinds[COLUMNS_N_KINDS] = {
  [COLUMNS_ORDER] = "an order, such as `.acq_rel`",
  [COLUMNS_SCOPE] = "a scope: `.cta`, `.cluster`, `.gpu` or `.sys`",
  [COLUMNS_GL] = "a scope: `.cta`, `.gl` or `.sys`",
  [COLUMNS_OP] = "an operation, such as `.add`",
  [COLUMNS_CLASS] = "a proxy, such as `.texture`, or `.alias`",
  [COLUMNS_ACCESS] = "`.sync`, `.arrive` or `.red`",
  [COLUMNS_REDUCTION] = "a reduction: `.popc`, `.and` or `.or`",
  [COLUMNS_SPACE] = "the spaces that it copies to and from, such as `.shared::cta.global`",
  [COLUMNS_SOURCE] = "the space that it copies from, after that which it copies to",
  [COLUMNS_CACHE] = "`.ca` or `.cg`",
  [COLUMNS_COMPLETION] = "`.bulk_group` or `.mbarrier::complete_tx::bytes`",
  [COLUMNS_RESTRICT] = "`.sync_restrict::shared::cta` or `.sync_restrict::shared::cluster`",
  [COLUMNS_PHASE] = "an operation: `.init`, `.arrive`, `.expect_tx`, `.try_wait`, …",
};

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
  if (!rsp_columns_demand (words, COLUMNS_SCOPE, !weak && !is_volatile,
                           weak          ? "weak"
                           : is_volatile ? "volatile"
                                         : "strong"))
    return FALSE;
  /* `ld.mmio.relaxed.sys` is the only load of its kind; the same of stores. */
  if (!rsp_columns_has (words, COLUMNS_MMIO)
      || (order == COLUMNS_RELAXED && out->reach == RSP_LEVEL_SYSTEM))
    return TRUE;
  rsp_error (words->test->diagnostics, words->spans[COLUMNS_MMIO],
             "such an access is always relaxed, with scope sys", "expected `%s.mmio.relaxed.sys`",
             words->form->word);
  return FALSE;
}

/* A fence.sc is a fence.acq_rel as well, which a fence without an order is. */
static guint64 fence_tags (guint order) {
  return order == COLUMNS_ACQUIRE   ? TAG (ACQ)
         : order == COLUMNS_RELEASE ? TAG (REL)
                                    : TAG (ACQ_REL) | (order == COLUMNS_SC ? TAG (SC) : 0);
}

static gboolean finish_fence (const ColumnsWords *words, guint order, ColumnsInstruction *out) {
  if (rsp_columns_value (words, COLUMNS_MARK, 0) == MARK_MBARRIER) {
    /* `fence.mbarrier_init.release.cluster` is the only fence of its kind. */
    out->tags = TAG (GEN) | TAG (MBINIT) | TAG (CLUSTER);
    if (order == COLUMNS_RELEASE && out->reach == RSP_LEVEL_KERNEL)
      return TRUE;
    rsp_error (words->test->diagnostics, words->spans[COLUMNS_MARK],
               "this fence is always a release, with scope cluster",
               "expected `fence.mbarrier_init.release.cluster`");
    return FALSE;
  }
  gboolean proxy = rsp_columns_has (words, COLUMNS_MARK);
  const char *as = proxy ? "proxy" : "memory";
  out->tags = proxy ? rsp_columns_tags (words, COLUMNS_CLASS)
                    : TAG (GEN) | fence_tags (order) | rsp_columns_tags (words, COLUMNS_SCOPE);
  return !(proxy && !rsp_columns_demand (words, COLUMNS_ORDER, FALSE, as))
         && rsp_columns_demand (words, COLUMNS_SCOPE, !proxy, as)
         && rsp_columns_demand (words, COLUMNS_CLASS, proxy, as);
}

/* A fence between the generic proxy and that of its form. One way, it releases shared memory of its
 * own cta and acquires that of the cluster. */
static gboolean finish_proxy_fence (const ColumnsWords *words, guint order,
                                    ColumnsInstruction *out) {
  guint64 space = rsp_columns_tags (words, COLUMNS_SPACE);
  guint restricted = rsp_columns_value (words, COLUMNS_RESTRICT, order);
  gboolean one_way = rsp_columns_has (words, COLUMNS_ORDER);
  out->tags = words->form->tags | rsp_columns_tags (words, COLUMNS_SCOPE)
              | (!one_way                   ? (space ? space : ANYWHERE)
                 : order == COLUMNS_ACQUIRE ? TAG (PROXYACQ)
                                            : TAG (PROXYREL));
  out->at_address = one_way && (words->form->tags & TAG (TENSORMAP)) && order == COLUMNS_ACQUIRE;
  if (restricted == order
      && (!rsp_columns_has (words, COLUMNS_RESTRICT) || out->reach == RSP_LEVEL_KERNEL))
    return TRUE;
  rsp_error (words->test->diagnostics, words->cell->word_span, NULL,
             "expected `%s.release.sync_restrict::shared::cta.cluster` or "
             "`%s.acquire.sync_restrict::shared::cluster.cluster`",
             words->form->word, words->form->word);
  return FALSE;
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

/* `barrier.cluster.arrive` releases and `barrier.cluster.wait` acquires, unless they are relaxed.
 */
static gboolean finish_cluster (const ColumnsWords *words, guint access, ColumnsInstruction *out) {
  gboolean arrives = access == ACCESS_ARRIVE;
  guint strong = arrives ? COLUMNS_RELEASE : COLUMNS_ACQUIRE;
  guint order = rsp_columns_value (words, COLUMNS_ORDER, strong);
  out->tags = TAG (CLUSTER) | (arrives ? TAG (ARRIVE) : 0)
              | (order == COLUMNS_RELAXED ? TAG (RLX)
                 : arrives                ? TAG (REL)
                                          : TAG (ACQ));
  out->meeting = out->reach;
  out->waits = !arrives;
  gboolean meets = access == ACCESS_ARRIVE || access == ACCESS_WAIT;
  if (meets && order & (strong | COLUMNS_RELAXED))
    return rsp_columns_demand (words, COLUMNS_REDUCTION, FALSE, "cluster's")
           && rsp_columns_demand (words, COLUMNS_TYPE, FALSE, "cluster's");
  ColumnsKind wrong = !meets ? COLUMNS_ACCESS : COLUMNS_ORDER;
  rsp_error (words->test->diagnostics, words->spans[wrong],
             "threads of a cluster meet with `barrier.cluster.arrive` and `barrier.cluster.wait`",
             "found `.%s`, expected %s", words->suffixes[wrong]->word,
             wrong == COLUMNS_ACCESS ? "`.arrive` or `.wait`"
             : arrives               ? "`.release` or `.relaxed`"
                                     : "`.acquire` or `.relaxed`");
  return FALSE;
}

static gboolean finish_barrier (const ColumnsWords *words, ColumnsInstruction *out) {
  guint access = words->suffixes[COLUMNS_ACCESS]->value;
  gboolean has_cluster = words->form->orders != 0;
  guint scope = rsp_columns_value (words, COLUMNS_SCOPE, RSP_LEVEL_WORK_GROUP);
  out->arrives = access == ACCESS_ARRIVE;
  if (has_cluster && scope == RSP_LEVEL_KERNEL)
    return finish_cluster (words, access, out);
  out->tags = TAG (CTA) | rsp_columns_tags (words, COLUMNS_ACCESS);
  out->reach = out->meeting = RSP_LEVEL_WORK_GROUP;
  out->of_warp = rsp_columns_has (words, COLUMNS_WARP);
  out->reduces = access == ACCESS_RED;
  out->op = (RspOperator) rsp_columns_value (words, COLUMNS_REDUCTION, RSP_OP_NONE);
  if (scope != RSP_LEVEL_WORK_GROUP) {
    rsp_error (
        words->test->diagnostics, words->spans[COLUMNS_SCOPE],
        has_cluster ? NULL : "for clusters: `barrier.cluster.arrive` and `barrier.cluster.wait`",
        has_cluster ? "found `.%s`, expected `.cta` or `.cluster`" : "found `.%s`, expected `.cta`",
        words->suffixes[COLUMNS_SCOPE]->word);
    return FALSE;
  }
  if (!rsp_columns_demand (words, COLUMNS_ORDER, FALSE, "cta's")
      || !rsp_columns_demand (words, COLUMNS_REDUCTION, out->reduces, "")
      || !(out->reduces || rsp_columns_demand (words, COLUMNS_TYPE, FALSE, "")))
    return FALSE;
  if (access == ACCESS_SYNC || ((out->arrives || out->reduces) && !out->of_warp))
    return TRUE;
  rsp_error (words->test->diagnostics, words->spans[COLUMNS_ACCESS], NULL,
             out->of_warp ? "found `.%s`, expected `bar.warp.sync`"
                          : "found `.%s`, which only `barrier.cluster` can have",
             words->suffixes[COLUMNS_ACCESS]->word);
  return FALSE;
}

/* ---- Asynchronous copies ---- */
/* From where to where a bulk copy may go, and how it completes. */
static const struct {
  const char *to, *from;
  guint completion;
  gboolean reduces;
} bulk_copies[] = {
  { "shared::cta", "global", COMPLETES_MBARRIER, FALSE },
  { "shared::cluster", "global", COMPLETES_MBARRIER, FALSE },
  { "shared::cluster", "shared::cta", COMPLETES_MBARRIER, TRUE },
  { "global", "shared::cta", COMPLETES_GROUP, TRUE },
};

static gboolean is_bulk_copy (const ColumnsWords *words) {
  gboolean reduces = rsp_columns_has (words, COLUMNS_OP);
  guint op = rsp_columns_value (words, COLUMNS_OP, RSP_OP_ADD);
  if (op != RSP_OP_ADD && op != RSP_OP_AND && op != RSP_OP_OR && op != RSP_OP_XOR) {
    rsp_error (words->test->diagnostics, words->spans[COLUMNS_OP],
               "it may have .add, .and, .or, .xor", "found `.%s`, which `%s` cannot have",
               words->suffixes[COLUMNS_OP]->word, words->form->word);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (bulk_copies); i++)
    if (strcmp (bulk_copies[i].to, words->suffixes[COLUMNS_SPACE]->word) == 0
        && strcmp (bulk_copies[i].from, words->suffixes[COLUMNS_SOURCE]->word) == 0
        && bulk_copies[i].completion == words->suffixes[COLUMNS_COMPLETION]->value
        && (bulk_copies[i].reduces || !reduces))
      return TRUE;
  rsp_error (words->test->diagnostics, words->cell->word_span,
             "to shared memory it is `.mbarrier::complete_tx::bytes`, and from `.shared::cta` to "
             "`.global` it is `.bulk_group`",
             "`%s` cannot copy between these spaces in this way", words->form->word);
  return FALSE;
}

/* `cp.async.ca.shared.global` */
static gboolean is_small_copy (const ColumnsWords *words) {
  if (strcmp (words->suffixes[COLUMNS_SPACE]->word, "shared::cluster") != 0
      && words->suffixes[COLUMNS_SPACE]->tags & TAG (SHAREDMEM)
      && words->suffixes[COLUMNS_SOURCE]->tags & TAG (GLOBALMEM))
    return TRUE;
  rsp_error (words->test->diagnostics, words->cell->word_span, NULL,
             "`cp.async` copies from global to shared memory: `cp.async.%s.shared.global`",
             words->suffixes[COLUMNS_CACHE]->word);
  return FALSE;
}

/* Copies read and write weakly; those that reduce write strongly. */
static gboolean finish_copy (const ColumnsWords *words, ColumnsInstruction *out) {
  gboolean bulk = (words->form->tags & TAG (ASYNC)) != 0,
           reduces = rsp_columns_has (words, COLUMNS_OP);
  guint64 all = words->form->tags | TAG (COPY)
                | (bulk ? rsp_columns_tags (words, COLUMNS_COMPLETION) : TAG (GROUP));
  out->tags = all | rsp_columns_tags (words, COLUMNS_SOURCE) | TAG (WEAK);
  out->write_tags = all | rsp_columns_tags (words, COLUMNS_SPACE)
                    | (reduces ? TAG (RLX) | TAG (GPU) : TAG (WEAK));
  out->reach = reduces ? RSP_LEVEL_DEVICE : RSP_LEVEL_THREAD;
  out->op = (RspOperator) rsp_columns_value (words, COLUMNS_OP, RSP_OP_NONE);
  out->only_16 = rsp_columns_value (words, COLUMNS_CACHE, CACHE_ALL) == CACHE_GLOBAL;
  if (rsp_columns_value (words, COLUMNS_COMPLETION, COMPLETES_GROUP) == COMPLETES_MBARRIER)
    out->phase_tags = TAG (GEN) | TAG (MBAR) | TAG (CLUSTER) | TAG (COPY) | TAG (DONE);
  return bulk ? is_bulk_copy (words) : is_small_copy (words);
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

/* Arrivals release and tests acquire at scope cta, unless they say otherwise. */
static gboolean finish_mbarrier (const ColumnsWords *words, ColumnsInstruction *out) {
  const char *operation;
  /* The operation by its suffixes. */
  gboolean arrives = rsp_columns_value (words, COLUMNS_ACCESS, ACCESS_SYNC) == ACCESS_ARRIVE;
  gboolean has_phase = rsp_columns_has (words, COLUMNS_PHASE);
  out->expects = rsp_columns_has (words, COLUMNS_TX);
  out->by_parity = rsp_columns_has (words, COLUMNS_PARITY);
  out->mbarrier = (ColumnsMbarrier) rsp_columns_value (
      words, COLUMNS_PHASE, arrives ? COLUMNS_MBARRIER_ARRIVE : COLUMNS_MBARRIER_EXPECT);
  operation = has_phase ? words->suffixes[COLUMNS_PHASE]->word : arrives ? "arrive" : "expect_tx";
  if (!(rsp_columns_demand (words, COLUMNS_PHASE, has_phase || !(arrives || out->expects), "")
        && check_suffix (words, COLUMNS_ACCESS, arrives && !has_phase, operation, NULL)))
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

/* TRUE for instructions that PTX 7.5 does not have. */
static gboolean is_newer (const ColumnsWords *words) {
  guint order = rsp_columns_value (words, COLUMNS_ORDER, 0);
  return rsp_columns_tags (words, COLUMNS_SCOPE) & TAG (CLUSTER) || order == VOLATILE
         || rsp_columns_has (words, COLUMNS_MMIO) || rsp_columns_has (words, COLUMNS_SPACE)
         || rsp_columns_has (words, COLUMNS_TYPE) || rsp_columns_has (words, COLUMNS_WARP)
         || rsp_columns_has (words, COLUMNS_ALIGNED) || words->form->action == COLUMNS_MBARRIER
         || words->form->tags & (TAG (ASYNC) | TAG (TENSORMAP))
         || words->form->action >= COLUMNS_COPY
         || (words->form->action == COLUMNS_FENCE && !rsp_columns_has (words, COLUMNS_MARK)
             && order != COLUMNS_ACQ_REL && order != COLUMNS_SC);
}

static gboolean finish (const ColumnsWords *words, ColumnsInstruction *out) {
  guint order = rsp_columns_value (words, COLUMNS_ORDER, COLUMNS_WEAK);
  out->newer = is_newer (words);
  out->space = rsp_columns_tags (words, COLUMNS_SPACE);
  switch (out->action) {
  case COLUMNS_LOAD:
  case COLUMNS_STORE:
    return finish_access (words, order, out);
  case COLUMNS_FETCH:
  case COLUMNS_REDUCE: {
    guint64 both = words->form->tags | rsp_columns_tags (words, COLUMNS_SCOPE);
    gboolean acquires = order == COLUMNS_ACQUIRE || order == COLUMNS_ACQ_REL;
    gboolean releases = order == COLUMNS_RELEASE || order == COLUMNS_ACQ_REL;
    out->tags = both | (acquires ? TAG (ACQ) : TAG (RLX));
    out->write_tags = both | (releases ? TAG (REL) : TAG (RLX));
    return TRUE;
  }
  case COLUMNS_FENCE:
    if (words->form->tags & TAG (GROUP))
      out->tags = words->form->tags;
    else if (words->form->tags & (TAG (ASYNC) | TAG (TENSORMAP)))
      return finish_proxy_fence (words, order, out);
    else
      return words->form->tags ? finish_membar (words, out) : finish_fence (words, order, out);
    return TRUE;
  case COLUMNS_BARRIER:
    return finish_barrier (words, out);
  case COLUMNS_COPY:
    return finish_copy (words, out);
  case COLUMNS_WAIT: {
    out->tags = words->form->tags;
    out->all = strcmp (words->form->word, "cp.async.wait_all") == 0;
    out->reads = rsp_columns_has (words, COLUMNS_READ);
    return TRUE;
  }
  case COLUMNS_COPIES: {
    out->reach = RSP_LEVEL_WORK_GROUP;
    out->phase_tags = words->form->tags | TAG (RLX);
    out->tags = out->phase_tags | TAG (COPY);
    out->write_tags = words->form->tags | TAG (REL) | TAG (COPY);
    out->all = rsp_columns_has (words, COLUMNS_COMPLETION);
    if (rsp_columns_value (words, COLUMNS_COMPLETION, COMPLETES_EXPECTED) == COMPLETES_EXPECTED)
      return TRUE;
    rsp_error (words->test->diagnostics, words->spans[COLUMNS_COMPLETION], "it may have .noinc",
               "found `.%s`, which `%s` cannot have", words->suffixes[COLUMNS_COMPLETION]->word,
               words->form->word);
    return FALSE;
  }
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
  OF_SURFACES = 128,
  OF_COPIES = 256
};

static const ColumnsStrength strengths[] = {
  { COLUMNS_LOAD, "weak", 0, .scoped = FALSE },
  { COLUMNS_LOAD, "relaxed", STRONG, .scoped = TRUE },
  { COLUMNS_LOAD, "acquire", STRONG | ACQUIRES, .scoped = TRUE },
  { COLUMNS_STORE, "weak", 0, .scoped = FALSE },
  { COLUMNS_STORE, "relaxed", STRONG, .scoped = TRUE },
  { COLUMNS_STORE, "release", STRONG | RELEASES, .scoped = TRUE },
#define RMW(action)                                                                                \
  { action, "relaxed", STRONG, .scoped = TRUE },                                                   \
      { action, "acquire", STRONG | ACQUIRES, .scoped = TRUE },                                    \
      { action, "release", STRONG | RELEASES, .scoped = TRUE },                                    \
      { action, "acq_rel", STRONG | ACQUIRES | RELEASES, .scoped = TRUE },
  RMW (COLUMNS_FETCH) RMW (COLUMNS_REDUCE)
#define FENCE(words, set, ...)                                                                     \
  { COLUMNS_FENCE, words, STRONG | (set), .scoped = TRUE, .form = __VA_ARGS__ }
      FENCE ("acquire", ACQUIRES, "fence", .newer = TRUE),
  FENCE ("release", RELEASES, "fence", .newer = TRUE),
  FENCE ("acq_rel", ACQUIRES | RELEASES, "fence", .implied = TRUE),
  FENCE ("sc", ACQUIRES | RELEASES | IS_SC, "fence"),
  FENCE ("acquire", ACQUIRES, "fence.proxy.tensormap::generic", .of = "acquire"),
  FENCE ("release", RELEASES, "fence.proxy.tensormap::generic", .of = "release"),
  { COLUMNS_FENCE, "", STRONG | ACQUIRES | RELEASES | IS_SC, .scoped = TRUE, .form = "membar",
    .means = "fence.sc" },
#define MEETING_ORDERS(action, words, set, ...)                                                    \
  { action, "relaxed", STRONG, __VA_ARGS__ }, {                                                    \
    action, words, STRONG | (set), .implied = TRUE, __VA_ARGS__                                    \
  }
  MEETING_ORDERS (COLUMNS_BARRIER, "release", RELEASES, .of = "cluster.arrive"),
  MEETING_ORDERS (COLUMNS_BARRIER, "acquire", ACQUIRES, .of = "cluster.wait"),
#define MBARRIER_ORDERS(operation, words, set)                                                     \
  MEETING_ORDERS (COLUMNS_MBARRIER, words, set, .of = operation, .scoped = TRUE, .narrowest = TRUE)
  MBARRIER_ORDERS ("arrive", "release", RELEASES),
  MBARRIER_ORDERS ("arrive_drop", "release", RELEASES),
  MBARRIER_ORDERS ("test_wait", "acquire", ACQUIRES),
  MBARRIER_ORDERS ("try_wait", "acquire", ACQUIRES),
  { .words = NULL },
};

static const ColumnsFence fences[] = {
  { "fence.acquire.$S", STRONG | ACQUIRES, 0, TRUE },
  { "fence.release.$S", STRONG | RELEASES, 0, TRUE },
  { "fence.acq_rel.$S", STRONG | ACQUIRES | RELEASES, .tags = 0 },
  { "fence.sc.$S", STRONG | ACQUIRES | RELEASES | IS_SC, .tags = 0 },
  { "fence.proxy.alias", OF_ALIASES, .tags = TAG (ALIAS) },
  { "fence.proxy.constant", OF_CONSTANTS, .tags = TAG (CON) },
  { "fence.proxy.texture", OF_TEXTURES, .tags = TAG (TEX) },
  { "fence.proxy.surface", OF_SURFACES, .tags = TAG (SUR) },
  { "fence.proxy.async", OF_COPIES, .tags = TAG (ASYNC) },
  { .words = NULL },
};

const ColumnsAlphabet rsp_ptx_alphabet = {
  .place_hint = "a place is written `P0@cta 0, gpu 0` or `P0@cta 0, cluster 0, gpu 0`",
  .plain = "weak",
  .has_mbarriers = TRUE,
  .forms = forms,
  .suffixes = suffixes,
  .kinds = kinds,
  .finish = finish,
  .strengths = strengths,
  .fences = fences,
  .classes = ANYWHERE,
  .class_noun = "state space",
};
