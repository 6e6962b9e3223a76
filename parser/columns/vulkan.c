/* Vulkan: its instructions, by forms and suffixes. */
#include "parser/columns/columns.h"

/* Vulkan's instructions, in the words of its memory model (appendix of the Vulkan specification).
 */

#define TAG(id) RSP_TAG_BIT (id)

enum { MARK_ATOM = 1, MARK_NONPRIV };

#define LOADS  COLUMNS_ACQUIRE
#define STORES COLUMNS_RELEASE
#define ALL    (COLUMNS_ACQUIRE | COLUMNS_RELEASE | COLUMNS_ACQ_REL)
#define SYNCHRONIZES                                                                               \
  (COLUMNS_KIND (ORDER) | COLUMNS_KIND (SCOPE) | COLUMNS_KIND (SEMANTICS) | COLUMNS_KIND (SEMAV)   \
   | COLUMNS_KIND (SEMVIS))
#define ACCESSES                                                                                   \
  (COLUMNS_KIND (ORDER) | COLUMNS_KIND (SCOPE) | COLUMNS_KIND (SEMANTICS) | COLUMNS_KIND (MARK)    \
   | COLUMNS_KIND (CLASS))

static const ColumnsForm forms[] = {
  { "ld", COLUMNS_LOAD, LOADS, ACCESSES | COLUMNS_KIND (VIS) | COLUMNS_KIND (SEMVIS),
    COLUMNS_KIND (CLASS), 0 },
  { "st", COLUMNS_STORE, STORES, ACCESSES | COLUMNS_KIND (AV) | COLUMNS_KIND (SEMAV),
    COLUMNS_KIND (CLASS), 0 },
  { "rmw", COLUMNS_FETCH, ALL,
    SYNCHRONIZES | COLUMNS_KIND (MARK) | COLUMNS_KIND (CLASS) | COLUMNS_KIND (OP),
    COLUMNS_KIND (MARK) | COLUMNS_KIND (SCOPE) | COLUMNS_KIND (CLASS), 0 },
  { "membar", COLUMNS_FENCE, ALL, SYNCHRONIZES, COLUMNS_KIND (ORDER) | COLUMNS_KIND (SCOPE), 0 },
  { "cbar", COLUMNS_BARRIER, ALL, SYNCHRONIZES, COLUMNS_KIND (SCOPE), TAG (CBAR) },
  { "avdevice", COLUMNS_FENCE, 0, 0, 0, TAG (AVDEVICE) },
  { "visdevice", COLUMNS_FENCE, 0, 0, 0, TAG (VISDEVICE) },
  { .word = NULL },
};

static const ColumnsSuffix suffixes[] = {
  { "acq", COLUMNS_ORDER, COLUMNS_ACQUIRE, TAG (ACQ) },
  { "rel", COLUMNS_ORDER, COLUMNS_RELEASE, TAG (REL) },
  { "acq_rel", COLUMNS_ORDER, COLUMNS_ACQ_REL, TAG (ACQ) | TAG (REL) },
  { "sg", COLUMNS_SCOPE, RSP_LEVEL_SUB_GROUP, TAG (SG) },
  { "wg", COLUMNS_SCOPE, RSP_LEVEL_WORK_GROUP, TAG (WG) },
  { "qf", COLUMNS_SCOPE, RSP_LEVEL_KERNEL, TAG (QF) },
  { "dv", COLUMNS_SCOPE, RSP_LEVEL_DEVICE, TAG (DV) },
  COLUMNS_OPERATIONS,
  { "atom", COLUMNS_MARK, MARK_ATOM, TAG (ATOM) | TAG (NONPRIV) },
  { "nonpriv", COLUMNS_MARK, MARK_NONPRIV, TAG (NONPRIV) },
  { "vis", COLUMNS_VIS, 0, TAG (NONPRIV) | TAG (VIS) },
  { "av", COLUMNS_AV, 0, TAG (NONPRIV) | TAG (AV) },
  { "sc0", COLUMNS_CLASS, 0, TAG (SC0) },
  { "sc1", COLUMNS_CLASS, 1, TAG (SC1) },
  { "sc2", COLUMNS_CLASS, 2, TAG (SC2) },
  { "sc3", COLUMNS_CLASS, 3, TAG (SC3) },
  { "semsc0", COLUMNS_SEMANTICS, 0, TAG (SEMSC0) },
  { "semsc1", COLUMNS_SEMANTICS, 1, TAG (SEMSC1) },
  { "semsc2", COLUMNS_SEMANTICS, 2, TAG (SEMSC2) },
  { "semsc3", COLUMNS_SEMANTICS, 3, TAG (SEMSC3) },
  { "semav", COLUMNS_SEMAV, 0, TAG (SEMAV) },
  { "semvis", COLUMNS_SEMVIS, 0, TAG (SEMVIS) },
  { .word = NULL },
};

static const char *const kinds[COLUMNS_N_KINDS] = {
  [COLUMNS_ORDER] = "an order: `.acq`, `.rel` or `.acq_rel`",
  [COLUMNS_SCOPE] = "a scope: `.sg`, `.wg`, `.qf` or `.dv`",
  [COLUMNS_MARK] = "`.atom`",
  [COLUMNS_CLASS] = "a storage class: `.sc0` to `.sc3`",
  [COLUMNS_SEMANTICS] = "the storage classes that its order is about: `.semsc0` to `.semsc3`",
};

static gboolean is_atomic (const ColumnsWords *words) {
  return rsp_columns_value (words, COLUMNS_MARK, 0) == MARK_ATOM;
}

/* Only an atomic access has an order, and only `.vis`, `.av` and atomic ones a scope. */
static gboolean finish_access (const ColumnsWords *words, ColumnsInstruction *out) {
  gboolean load = out->action == COLUMNS_LOAD, atomic = is_atomic (words);
  ColumnsKind access = load ? COLUMNS_VIS : COLUMNS_AV;
  ColumnsKind semantics = load ? COLUMNS_SEMVIS : COLUMNS_SEMAV;
  gboolean scoped = atomic || rsp_columns_has (words, access);
  const char *as = "non-atomic";
  out->tags = rsp_columns_tags (words, COLUMNS_MARK) | rsp_columns_tags (words, access)
              | rsp_columns_tags (words, COLUMNS_SCOPE) | rsp_columns_tags (words, COLUMNS_CLASS)
              | rsp_columns_tags (words, COLUMNS_ORDER) | words->semantics
              | rsp_columns_tags (words, semantics);
  if (atomic)
    out->tags |= load ? TAG (VIS) : TAG (AV);
  return rsp_columns_demand (words, COLUMNS_SCOPE, scoped, scoped ? "scoped" : "plain")
         && (atomic
             || (rsp_columns_demand (words, COLUMNS_ORDER, FALSE, as)
                 && rsp_columns_demand (words, COLUMNS_SEMANTICS, FALSE, as)
                 && rsp_columns_demand (words, semantics, FALSE, as)));
}

static gboolean finish_rmw (const ColumnsWords *words, ColumnsInstruction *out) {
  guint64 order = rsp_columns_tags (words, COLUMNS_ORDER);
  guint64 both = rsp_columns_tags (words, COLUMNS_MARK) | rsp_columns_tags (words, COLUMNS_SCOPE)
                 | rsp_columns_tags (words, COLUMNS_CLASS) | words->semantics;
  out->tags = both | TAG (VIS) | (order & TAG (ACQ)) | rsp_columns_tags (words, COLUMNS_SEMVIS);
  out->write_tags = both | TAG (AV) | (order & TAG (REL)) | rsp_columns_tags (words, COLUMNS_SEMAV);
  return is_atomic (words) || rsp_columns_demand (words, COLUMNS_MARK, FALSE, "non-atomic");
}

/* ---- What the specification forbids ---- */
#define DOUBT(words, kind, hint, ...)                                                              \
  COLUMNS_DOUBT ((words)->test, (words)->spans[kind], hint, __VA_ARGS__)

/* Semantics for availability belong to a release, those for visibility to an acquire. */
static void check_domains (const ColumnsWords *words, ColumnsKind kind, guint64 order,
                           const char *which) {
  if (rsp_columns_has (words, kind) && !(rsp_columns_tags (words, COLUMNS_ORDER) & order))
    DOUBT (words, kind, NULL, "found `.%s` without `.%s` or `.acq_rel`",
           words->suffixes[kind]->word, which);
}

/* Fences and barriers. */
static gboolean finish_fence (const ColumnsWords *words, ColumnsInstruction *out) {
  out->tags = words->form->tags | rsp_columns_tags (words, COLUMNS_ORDER)
              | rsp_columns_tags (words, COLUMNS_SCOPE) | words->semantics
              | rsp_columns_tags (words, COLUMNS_SEMAV) | rsp_columns_tags (words, COLUMNS_SEMVIS);
  return TRUE;
}

static gboolean finish (const ColumnsWords *words, ColumnsInstruction *out) {
  gboolean access = out->action == COLUMNS_LOAD || out->action == COLUMNS_STORE;
  gboolean good = (access                         ? finish_access
                   : out->action == COLUMNS_FETCH ? finish_rmw
                                                  : finish_fence) (words, out);
  if (good) {
    /* An order is about storage classes, and storage classes need an order. */
    gboolean order = rsp_columns_has (words, COLUMNS_ORDER);
    if (order && !words->semantics)
      DOUBT (words, COLUMNS_ORDER,
             "add the storage classes that it is about: `.semsc0` to `.semsc3`",
             "`.%s` without a storage class orders nothing", words->suffixes[COLUMNS_ORDER]->word);
    if (words->semantics && !order)
      DOUBT (words, COLUMNS_SEMANTICS, "add an order: `.acq`, `.rel` or `.acq_rel`",
             "`.%s` without an order means nothing", words->suffixes[COLUMNS_SEMANTICS]->word);
    check_domains (words, COLUMNS_SEMAV, TAG (REL), "rel");
    check_domains (words, COLUMNS_SEMVIS, TAG (ACQ), "acq");
    if (out->action == COLUMNS_BARRIER) {
      guint scope = rsp_columns_value (words, COLUMNS_SCOPE, RSP_LEVEL_WORK_GROUP);
      if (scope < RSP_LEVEL_WORK_GROUP)
        DOUBT (
            words, COLUMNS_SCOPE, "use `.wg`: threads of different work-groups cannot meet",
            "found a control barrier of scope `.%s`, but Vulkan has them only for `.wg` and `.sg`",
            words->suffixes[COLUMNS_SCOPE]->word);
    }
  }
  return good;
}

/* ---- Stronger and weaker ---- */
enum {
  NON_PRIVATE = 1,
  DOMAINS = 2, /* visibility of loads, availability of stores */
  ATOMIC = 4,
  ACQUIRES = 8,
  RELEASES = 16
};

static const ColumnsStrength strengths[] = {
  { COLUMNS_LOAD, "", 0, .scoped = FALSE },
  { COLUMNS_LOAD, "nonpriv", NON_PRIVATE, .scoped = FALSE },
  { COLUMNS_LOAD, "vis", NON_PRIVATE | DOMAINS, .scoped = TRUE },
  { COLUMNS_LOAD, "atom", NON_PRIVATE | DOMAINS | ATOMIC, .scoped = TRUE },
  { COLUMNS_LOAD, "atom.acq", NON_PRIVATE | DOMAINS | ATOMIC | ACQUIRES, .scoped = TRUE,
    .semantic = TRUE },
  { COLUMNS_STORE, "", 0, .scoped = FALSE },
  { COLUMNS_STORE, "nonpriv", NON_PRIVATE, .scoped = FALSE },
  { COLUMNS_STORE, "av", NON_PRIVATE | DOMAINS, .scoped = TRUE },
  { COLUMNS_STORE, "atom", NON_PRIVATE | DOMAINS | ATOMIC, .scoped = TRUE },
  { COLUMNS_STORE, "atom.rel", NON_PRIVATE | DOMAINS | ATOMIC | RELEASES, .scoped = TRUE,
    .semantic = TRUE },
  { COLUMNS_FETCH, "atom", ATOMIC, .scoped = TRUE },
  { COLUMNS_FETCH, "atom.acq", ATOMIC | ACQUIRES, .scoped = TRUE, .semantic = TRUE },
  { COLUMNS_FETCH, "atom.rel", ATOMIC | RELEASES, .scoped = TRUE, .semantic = TRUE },
  { COLUMNS_FETCH, "atom.acq_rel", ATOMIC | ACQUIRES | RELEASES, .scoped = TRUE, .semantic = TRUE },
  { COLUMNS_FENCE, "acq", ACQUIRES, .scoped = TRUE, .semantic = TRUE },
  { COLUMNS_FENCE, "rel", RELEASES, .scoped = TRUE, .semantic = TRUE },
  { COLUMNS_FENCE, "acq_rel", ACQUIRES | RELEASES, .scoped = TRUE, .semantic = TRUE },
  { COLUMNS_BARRIER, "", 0, .scoped = TRUE },
  { COLUMNS_BARRIER, "acq", ACQUIRES, .scoped = TRUE, .semantic = TRUE },
  { COLUMNS_BARRIER, "rel", RELEASES, .scoped = TRUE, .semantic = TRUE },
  { COLUMNS_BARRIER, "acq_rel", ACQUIRES | RELEASES, .scoped = TRUE, .semantic = TRUE },
  { .words = NULL },
};

static const ColumnsFence fences[] = {
  { "membar.acq.$S$C.semvis", ACQUIRES, .tags = 0 },
  { "membar.rel.$S$C.semav", RELEASES, .tags = 0 },
  { "membar.acq_rel.$S$C.semav.semvis", ACQUIRES | RELEASES, .tags = 0 },
  { .words = NULL },
};

#define CLASSES   (TAG (SC0) | TAG (SC1) | TAG (SC2) | TAG (SC3))
#define SEMANTICS (TAG (SEMSC0) | TAG (SEMSC1) | TAG (SEMSC2) | TAG (SEMSC3))

const ColumnsAlphabet rsp_vulkan_alphabet = {
  .place_hint = "a place is written `P0@sg 0, wg 0, qf 0`",
  .has_ssw = TRUE,
  .plain = "private",
  .forms = forms,
  .suffixes = suffixes,
  .kinds = kinds,
  .finish = finish,
  .strengths = strengths,
  .fences = fences,
  .classes = CLASSES,
  .class_noun = "storage class",
  .alike = TAG (SG) | TAG (WG) | TAG (QF) | TAG (DV) | TAG (ACQ) | TAG (REL) | SEMANTICS,
};
