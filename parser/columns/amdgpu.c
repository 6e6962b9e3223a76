/* AMDGPU: its instructions, by forms and suffixes. */
#include "parser/columns/columns.h"

/* The memory operations of LLVM's IR as its "AMDGPU Memory Model" (2026) has them, in short. What
 * an operation is to that model is said by its tags: AV and VIS, "store-available" and
 * "load-visible"; SEMAV and SEMVIS, "make-available" and "make-visible". */

#define TAG(id) RSP_TAG_BIT (id)

enum { PLAIN, VOLATILE, AVAILABLE, ATOMIC };

#define ORDERED (COLUMNS_KIND (ORDER) | COLUMNS_KIND (SCOPE) | COLUMNS_KIND (NOAV))
#define LOADS   (COLUMNS_RELAXED | COLUMNS_ACQUIRE | COLUMNS_SC)
#define STORES  (COLUMNS_RELAXED | COLUMNS_RELEASE | COLUMNS_SC)
#define FENCES  (COLUMNS_ACQUIRE | COLUMNS_RELEASE | COLUMNS_ACQ_REL | COLUMNS_SC)
#define ALL     (COLUMNS_RELAXED | FENCES)

static const ColumnsForm forms[] = {
  { "load", COLUMNS_LOAD, LOADS, ORDERED | COLUMNS_KIND (MARK), 0, 0 },
  { "store", COLUMNS_STORE, STORES, ORDERED | COLUMNS_KIND (MARK), 0, 0 },
  { "rmw", COLUMNS_FETCH, ALL, ORDERED | COLUMNS_KIND (OP),
    COLUMNS_KIND (ORDER) | COLUMNS_KIND (OP), 0 },
  { "cmpxchg", COLUMNS_FETCH, ALL, ORDERED | COLUMNS_KIND (FAILURE),
    COLUMNS_KIND (ORDER) | COLUMNS_KIND (FAILURE), 0 },
  { "fence", COLUMNS_FENCE, FENCES, ORDERED, COLUMNS_KIND (ORDER), 0 },
  { "barrier", COLUMNS_BARRIER, 0, 0, 0, TAG (CBAR) | TAG (WG) },
  { .word = NULL },
};

#define ORDERS(kind)                                                                               \
  { "monotonic", kind, COLUMNS_RELAXED, 0 }, { "acquire", kind, COLUMNS_ACQUIRE, TAG (ACQ) },      \
      { "release", kind, COLUMNS_RELEASE, TAG (REL) },                                             \
      { "acq_rel", kind, COLUMNS_ACQ_REL, TAG (ACQ) | TAG (REL) }, {                               \
    "seq_cst", kind, COLUMNS_SC, TAG (ACQ) | TAG (REL) | TAG (SC)                                  \
  }

static const ColumnsSuffix suffixes[] = {
  { "volatile", COLUMNS_MARK, VOLATILE, 0 },
  { "av", COLUMNS_MARK, AVAILABLE, 0 },
  { "atomic", COLUMNS_MARK, ATOMIC, TAG (ATOM) },
  { "xchg", COLUMNS_OP, RSP_OP_EXCHANGE, 0 },
  { "add", COLUMNS_OP, RSP_OP_ADD, 0 },
  { "sub", COLUMNS_OP, RSP_OP_SUB, 0 },
  { "and", COLUMNS_OP, RSP_OP_AND, 0 },
  { "or", COLUMNS_OP, RSP_OP_OR, 0 },
  { "xor", COLUMNS_OP, RSP_OP_XOR, 0 },
  { "min", COLUMNS_OP, RSP_OP_MIN, 0 },
  { "max", COLUMNS_OP, RSP_OP_MAX, 0 },
  { "singlethread", COLUMNS_SCOPE, RSP_LEVEL_THREAD, 0 },
  { "wavefront", COLUMNS_SCOPE, RSP_LEVEL_SUB_GROUP, TAG (WV) },
  { "workgroup", COLUMNS_SCOPE, RSP_LEVEL_WORK_GROUP, TAG (WG) },
  { "cluster", COLUMNS_SCOPE, RSP_LEVEL_KERNEL, TAG (CL) },
  { "agent", COLUMNS_SCOPE, RSP_LEVEL_DEVICE, TAG (AG) },
  { "system", COLUMNS_SCOPE, RSP_LEVEL_SYSTEM, TAG (SYS) },
  ORDERS (COLUMNS_ORDER),
  ORDERS (COLUMNS_FAILURE),
  { "noav", COLUMNS_NOAV, 0, 0 },
  { .word = NULL },
};

static const char *const kinds[COLUMNS_N_KINDS] = {
  [COLUMNS_ORDER] = "an order: `.monotonic`, `.acquire`, `.release`, `.acq_rel` or `.seq_cst`",
  [COLUMNS_SCOPE] = "a scope, such as `.agent`",
  [COLUMNS_OP] = "an operation, such as `.add` or `.xchg`",
  [COLUMNS_MARK] = "`.atomic`",
  [COLUMNS_FAILURE] = "a second order, for when it fails: `.monotonic`, `.acquire` or `.seq_cst`",
};

/* A half of an operation: what reads takes no part in releases, and what writes none in acquires;
 * fences are both. With an order, it makes available or visible unless it is marked. */
static guint64 half (const ColumnsWords *words, ColumnsKind order, guint64 without) {
  guint64 tags = rsp_columns_tags (words, order);
  if (!rsp_columns_has (words, COLUMNS_NOAV))
    tags |= (tags & TAG (REL) ? TAG (SEMAV) : 0) | (tags & TAG (ACQ) ? TAG (SEMVIS) : 0);
  return tags & ~without;
}

#define READS  (TAG (ACQ) | TAG (SEMVIS))
#define WRITES (TAG (REL) | TAG (SEMAV))

/* Without a scope, it is the system. */
static guint64 scope_of (const ColumnsWords *words, ColumnsInstruction *out) {
  if (rsp_columns_has (words, COLUMNS_SCOPE))
    return rsp_columns_tags (words, COLUMNS_SCOPE);
  out->reach = RSP_LEVEL_SYSTEM;
  return TAG (SYS);
}

/* Loads and stores: only atomic ones have an order, and plain and volatile ones no scope. */
static gboolean finish_access (const ColumnsWords *words, ColumnsInstruction *out) {
  static const char *const as[] = { "plain", "volatile", "non-atomic", "atomic" };
  guint mark = rsp_columns_value (words, COLUMNS_MARK, PLAIN);
  gboolean load = out->action == COLUMNS_LOAD;
  if (!rsp_columns_demand (words, COLUMNS_ORDER, mark == ATOMIC, as[mark])
      || (mark < AVAILABLE && !rsp_columns_demand (words, COLUMNS_SCOPE, FALSE, as[mark]))
      || (mark < ATOMIC && !rsp_columns_demand (words, COLUMNS_NOAV, FALSE, as[mark])))
    return FALSE;
  if (mark != PLAIN)
    out->tags = (load ? TAG (VIS) : TAG (AV)) | rsp_columns_tags (words, COLUMNS_MARK)
                | scope_of (words, out) | half (words, COLUMNS_ORDER, load ? WRITES : READS);
  return TRUE;
}

static gboolean finish_rmw (const ColumnsWords *words, ColumnsInstruction *out) {
  guint64 both = TAG (ATOM) | scope_of (words, out);
  out->tags = both | TAG (VIS) | half (words, COLUMNS_ORDER, WRITES);
  out->write_tags = both | TAG (AV) | half (words, COLUMNS_ORDER, READS);
  out->failing_tags = both | TAG (VIS) | half (words, COLUMNS_FAILURE, WRITES);
  if (!rsp_columns_has (words, COLUMNS_FAILURE))
    return TRUE;
  out->op = RSP_OP_NONE;
  if (!(rsp_columns_value (words, COLUMNS_FAILURE, 0) & (COLUMNS_RELEASE | COLUMNS_ACQ_REL)))
    return TRUE;
  rsp_error (words->test->diagnostics, words->spans[COLUMNS_FAILURE], "a failing one only reads",
             "found `.%s`, expected %s", words->suffixes[COLUMNS_FAILURE]->word,
             kinds[COLUMNS_FAILURE]);
  return FALSE;
}

static gboolean finish (const ColumnsWords *words, ColumnsInstruction *out) {
  gboolean good = TRUE;
  switch (out->action) {
  case COLUMNS_LOAD:
  case COLUMNS_STORE:
    good = finish_access (words, out);
    break;
  case COLUMNS_FETCH:
  case COLUMNS_REDUCE:
    good = finish_rmw (words, out);
    break;
  case COLUMNS_FENCE:
    out->tags = scope_of (words, out) | half (words, COLUMNS_ORDER, 0);
    break;
  case COLUMNS_BARRIER:
    out->tags = words->form->tags;
    out->reach = RSP_LEVEL_WORK_GROUP;
    break;
  case COLUMNS_COPY:
  case COLUMNS_WAIT:
  case COLUMNS_COPIES:
  case COLUMNS_MBARRIER:
    g_assert_not_reached ();
  }
  if (!good || !rsp_columns_has (words, COLUMNS_NOAV)
      || rsp_columns_tags (words, COLUMNS_ORDER) & (TAG (ACQ) | TAG (REL)))
    return good;
  rsp_error (words->test->diagnostics, words->spans[COLUMNS_NOAV],
             "`.noav` is for operations that acquire or release",
             "found `.noav`, but a monotonic operation makes nothing available or visible");
  return FALSE;
}

/* ---- Stronger and weaker ---- */
enum {
  DOMAINS = 1, /* visibility of loads, availability of stores */
  IS_ATOMIC = 2,
  ACQUIRES = 4,
  RELEASES = 8,
  IS_SC = 16,
  MAKES_VISIBLE = 32,
  MAKES_AVAILABLE = 64,
  SYSTEM_WIDE = 128, /* volatile: av at system scope */
  ACQUIRE = ACQUIRES | MAKES_VISIBLE,
  RELEASE = RELEASES | MAKES_AVAILABLE
};

/* A row, and the one with `.noav`. */
#define WITH_MARK(action, words, without, marks)                                                   \
  { action, words ".noav", without, .scoped = TRUE }, {                                            \
    action, words, (without) | (marks), .scoped = TRUE                                             \
  }
#define ACCESSES(action, order, has, marks)                                                        \
  { action, "", 0, .scoped = FALSE }, { action, "av", DOMAINS, .scoped = TRUE },                   \
      { action, "volatile", DOMAINS | SYSTEM_WIDE, .scoped = FALSE },                              \
      { action, "atomic.monotonic", DOMAINS | IS_ATOMIC, .scoped = TRUE },                         \
      WITH_MARK (action, "atomic." order, DOMAINS | IS_ATOMIC | (has), marks),                     \
      WITH_MARK (action, "atomic.seq_cst", DOMAINS | IS_ATOMIC | (has) | IS_SC, marks)
#define BOTH(action, base)                                                                         \
  WITH_MARK (action, "acquire", (base) | ACQUIRES, MAKES_VISIBLE),                                 \
      WITH_MARK (action, "release", (base) | RELEASES, MAKES_AVAILABLE),                           \
      WITH_MARK (action, "acq_rel", (base) | ACQUIRES | RELEASES,                                  \
                 MAKES_VISIBLE | MAKES_AVAILABLE),                                                 \
      WITH_MARK (action, "seq_cst", (base) | ACQUIRES | RELEASES | IS_SC,                          \
                 MAKES_VISIBLE | MAKES_AVAILABLE)

static const ColumnsStrength strengths[] = {
  ACCESSES (COLUMNS_LOAD, "acquire", ACQUIRES, MAKES_VISIBLE),
  ACCESSES (COLUMNS_STORE, "release", RELEASES, MAKES_AVAILABLE),
  { COLUMNS_FETCH, "monotonic", IS_ATOMIC, .scoped = TRUE },
  BOTH (COLUMNS_FETCH, IS_ATOMIC),
  BOTH (COLUMNS_FENCE, 0),
  { .words = NULL },
};

static const ColumnsFence fences[] = {
  { "fence.$S.acquire", ACQUIRE, .tags = 0 },
  { "fence.$S.release", RELEASE, .tags = 0 },
  { "fence.$S.acq_rel", ACQUIRE | RELEASE, .tags = 0 },
  { "fence.$S.seq_cst", ACQUIRE | RELEASE | IS_SC, .tags = 0 },
  { .words = NULL },
};

const ColumnsAlphabet rsp_amdgpu_alphabet = {
  .place_hint = "a place is written `P0@wv 0, wg 0, cl 0, ag 0`; what is left out is 0",
  .has_local = TRUE,
  .plain = "plain",
  .forms = forms,
  .suffixes = suffixes,
  .kinds = kinds,
  .finish = finish,
  .strengths = strengths,
  .fences = fences,
};
