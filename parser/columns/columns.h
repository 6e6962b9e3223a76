#pragma once

#include "lexer/columns.h"
#include "parser/litmus/litmus.h"
#include "parser/program.h"

/* ---- Syntax --------------------------------------------------------------------------------- */

/* Tests whose threads are columns: what the grammar builds. The initial state, the question and
 * places in them are those of parser/litmus/litmus.h; everything lives in the program's arena. */

/* `y @ generic aliases x`, `y aliases x` */
typedef struct ColumnsAlias {
  RspSpan span, proxy_span, target_span;
  const char *name;
  const char *proxy; /* NULL: none given */
  const char *target;
} ColumnsAlias;

/* `ssw 0 1` */
typedef struct ColumnsPair {
  RspSpan span;
  const char *word;
  LitmusPlace *from, *to; /* numbers or names */
} ColumnsPair;

/* `P0@cta 0,gpu 0` */
typedef struct ColumnsHead {
  RspSpan span;
  const char *name;
  LitmusList positions; /* of LitmusPosition */
} ColumnsHead;

/* A cell: labels before an instruction, either of which may be missing. */
typedef struct ColumnsCell {
  RspSpan span;        /* of all of it */
  LitmusList labels;   /* of LitmusPlace (names) */
  const char *word;    /* "ld.acquire.gpu"; NULL: no instruction */
  RspSpan word_span;   /* of the word */
  LitmusList operands; /* of LitmusPlace: names, contents (`[x]`), addresses (`&x`), numbers */
} ColumnsCell;

/* A row of the table. */
typedef struct ColumnsRow {
  RspSpan span;
  LitmusList cells; /* of ColumnsCell */
} ColumnsRow;

typedef struct ColumnsTest {
  RspDiagnostics *diagnostics;
  gboolean strict;     /* what is doubtful is an error */
  RspProgram *program; /* whose words suffixes may be; NULL: of an instruction outside a test */
  const RspLanguage *language;
  const struct ColumnsAlphabet *alphabet; /* the language's instructions */
  LitmusList aliases;                     /* of ColumnsAlias */
  LitmusList pairs;                       /* of ColumnsPair */
  LitmusList heads;                       /* of ColumnsHead */
  LitmusList rows;                        /* of ColumnsRow */
} ColumnsTest;

/* Reports what the specification calls ill-formed: a warning, or an error if the test is strict. */
#define COLUMNS_DOUBT(test, span, hint, ...)                                                       \
  rsp_report ((test)->diagnostics, (test)->strict ? RSP_ERROR : RSP_WARNING, (span), (hint),       \
              __VA_ARGS__)

/* ---- Instruction ---------------------------------------------------------------------------- */

/* Instructions of tests in columns: a word and its suffixes ("ld.acquire.gpu"). A language is a
 * list of forms, a list of suffixes, and a function that gives the events their tags. */

typedef enum ColumnsAction {
  COLUMNS_LOAD,   /* r, x */
  COLUMNS_STORE,  /* x, v */
  COLUMNS_FETCH,  /* r, x, v; r, x, expected, v for a compare-and-swap */
  COLUMNS_REDUCE, /* the same without r */
  COLUMNS_FENCE,
  COLUMNS_BARRIER, /* id[, name[, quorum]]; r, id[, name[, quorum]], p for a reduction */
  COLUMNS_COPY,    /* x, y, bytes */
  COLUMNS_WAIT,    /* how many groups of copies may be under way; or nothing, for all copies */
  COLUMNS_COPIES,  /* m: copies arrive at it */
  COLUMNS_MBARRIER /* as ColumnsMbarrier says */
} ColumnsAction;

/* Operations on an mbarrier; a token is the state before an arrival. */
typedef enum ColumnsMbarrier {
  COLUMNS_MBARRIER_INIT,     /* m, arrivals */
  COLUMNS_MBARRIER_INVAL,    /* m */
  COLUMNS_MBARRIER_ARRIVE,   /* token, m[, arrivals]; with a tx-count: token, m, bytes */
  COLUMNS_MBARRIER_DROP,     /* the same; the phases to come do not expect it */
  COLUMNS_MBARRIER_EXPECT,   /* m, bytes */
  COLUMNS_MBARRIER_COMPLETE, /* m, bytes */
  COLUMNS_MBARRIER_TEST,     /* p, m, token; by parity: p, m, parity */
  COLUMNS_MBARRIER_TRY,      /* the same[, a time] */
  COLUMNS_MBARRIER_PENDING   /* r, token */
} ColumnsMbarrier;

/* Values of suffixes that are orders. */
typedef enum ColumnsOrder {
  COLUMNS_WEAK = 1,
  COLUMNS_RELAXED = 2,
  COLUMNS_ACQUIRE = 4,
  COLUMNS_RELEASE = 8,
  COLUMNS_ACQ_REL = 16,
  COLUMNS_SC = 32,
  COLUMNS_VOLATILE = 64
} ColumnsOrder;

/* Kinds of suffixes; an instruction has at most one of each kind, except semantics' classes. */
typedef enum ColumnsKind {
  COLUMNS_ORDER,  /* its value: ColumnsOrder */
  COLUMNS_SCOPE,  /* its value: RspLevel */
  COLUMNS_OP,     /* its value: RspOperator; RSP_OP_NONE: compare-and-swap */
  COLUMNS_MARK,   /* `proxy`, `atom`, `nonpriv`: what sort of instruction this is */
  COLUMNS_ACCESS, /* `sync` and `arrive` */
  COLUMNS_AV,
  COLUMNS_VIS,
  COLUMNS_CLASS,     /* proxies of fences; storage classes */
  COLUMNS_SEMANTICS, /* storage classes of semantics: several */
  COLUMNS_SEMAV,
  COLUMNS_SEMVIS,
  COLUMNS_FAILURE, /* the order of a failing compare-and-swap: its value as that of ORDER */
  COLUMNS_NOAV,    /* neither available nor visible */
  COLUMNS_MMIO,
  COLUMNS_SPACE, /* `.global` and `.u32`, which change nothing */
  COLUMNS_TYPE,
  COLUMNS_GL, /* the device, as PTX's `membar` calls it */
  /* Of copies: */
  COLUMNS_SOURCE, /* the space of what is read; SPACE is that of what is written */
  COLUMNS_CACHE,
  COLUMNS_COMPLETION,
  COLUMNS_READ,     /* of a wait: only for what copies read */
  COLUMNS_RESTRICT, /* the space to which a fence applies */
  COLUMNS_PHASE,    /* what is done to an mbarrier, but for `arrive`: its value: ColumnsMbarrier */
  COLUMNS_TX,       /* `expect_tx`, alone or of an arrival */
  COLUMNS_PARITY,
  COLUMNS_WARP,
  COLUMNS_REDUCTION, /* of a barrier: its value: RspOperator; ADD counts */
  COLUMNS_ALIGNED,   /* changes nothing */
  COLUMNS_N_KINDS
} ColumnsKind;

#define COLUMNS_KIND(kind) (1u << COLUMNS_##kind)

typedef struct ColumnsSuffix {
  const char *word;
  ColumnsKind kind;
  guint value;
  guint64 tags;
} ColumnsSuffix;

/* The suffixes of read-modify-writes. */
#define COLUMNS_OPERATIONS                                                                         \
  { "add", COLUMNS_OP, RSP_OP_ADD, 0 }, { "plus", COLUMNS_OP, RSP_OP_ADD, 0 },                     \
      { "sub", COLUMNS_OP, RSP_OP_SUB, 0 }, { "mul", COLUMNS_OP, RSP_OP_MUL, 0 },                  \
      { "div", COLUMNS_OP, RSP_OP_DIV, 0 }, { "and", COLUMNS_OP, RSP_OP_AND, 0 },                  \
      { "or", COLUMNS_OP, RSP_OP_OR, 0 }, { "xor", COLUMNS_OP, RSP_OP_XOR, 0 },                    \
      { "exch", COLUMNS_OP, RSP_OP_EXCHANGE, 0 }, {                                                \
    "cas", COLUMNS_OP, RSP_OP_NONE, 0                                                              \
  }

typedef struct ColumnsAlphabet ColumnsAlphabet;

/* The first word, or first words: `cp.async.bulk`. */
typedef struct ColumnsForm {
  const char *word;
  ColumnsAction action;
  guint orders;  /* of ColumnsOrder, that it may have */
  guint allowed; /* bits of kinds that it may have, and must have */
  guint needed;
  guint64 tags;
} ColumnsForm;

typedef struct ColumnsInstruction {
  ColumnsAction action;
  guint64 tags, write_tags, failing_tags; /* as in RspCall */
  guint64 space; /* LOAD, STORE, FETCH, REDUCE: of the alphabet's classes */
  RspLevel reach;
  RspOperator op;          /* FETCH, REDUCE; RSP_OP_NONE: compare-and-swap */
  gboolean arrives, waits; /* BARRIER: it does not wait, or only waits; as in RspBarrier */
  RspLevel meeting;
  gboolean reduces;    /* BARRIER: by `op` */
  gboolean of_warp;    /* BARRIER: its only operand is the mask of the threads that meet */
  gboolean at_address; /* FENCE: it has an address, and a size */
  gboolean only_16;    /* COPY: it has no other size */
  gboolean all;        /* WAIT: for all copies; COPIES: the phase expects them */
  guint64 phase_tags;  /* COPY: of its completion at an mbarrier; COPIES: of what is expected */
  gboolean reads;      /* WAIT: as in RspCall */
  ColumnsMbarrier mbarrier;
  gboolean expects, by_parity; /* MBARRIER: an arrival has a tx-count; a test has a parity */
  gboolean newer;              /* see RspProgram */
  guint32 words;               /* as in RspCall */
  RspSpelling spelling;
} ColumnsInstruction;

/* An instruction whose words have been found. */
typedef struct ColumnsWords {
  const ColumnsTest *test;
  const ColumnsCell *cell;
  const ColumnsForm *form;
  const ColumnsSuffix *suffixes[COLUMNS_N_KINDS]; /* NULL: there is none of the kind */
  RspSpan spans[COLUMNS_N_KINDS];
  guint64 semantics;       /* tags of COLUMNS_SEMANTICS */
  guint64 spelled;         /* bits of all suffixes */
  ColumnsSuffix own_scope; /* its scope, if that is a level of a model */
  guint32 given;           /* as RspCall.words */
  gboolean doubtful;       /* does one of them resemble a suffix? */
  /* Of them, the last, or the first that resembles a suffix (NULL: none); what follows it. */
  const char *word, *next;
  RspSpan word_span;
} ColumnsWords;

/* ---- Stronger and weaker instructions ---- */
/* An instruction's suffixes that are orders, marks or accesses, and how strong it is with them. */
typedef struct ColumnsStrength {
  ColumnsAction action;
  const char *words;         /* "atom.acq", "" */
  guint set;                 /* an instruction is no stronger than one whose set includes its own */
  gboolean scoped, semantic; /* it has a scope that may change; classes of semantics */
  const char *form;          /* of instructions of this form alone; NULL: of any */
  const char *of;            /* of those with these suffixes, "cluster.wait"; NULL: of any */
  gboolean implied;          /* the words may be left out */
  gboolean narrowest;        /* without a scope, it has the first one */
  gboolean newer;            /* see RspProgram */
  const char *means;         /* the newer name, whose orders and scopes it may have; or NULL */
} ColumnsStrength;

/* A fence that may be added. */
typedef struct ColumnsFence {
  const char *words; /* `$S`: a scope; `$C`: semantics for storage classes */
  guint set;         /* as in ColumnsStrength */
  guint64 tags;      /* only where an access has one of them, or if there are none */
  gboolean newer;    /* as in ColumnsStrength */
} ColumnsFence;

struct ColumnsAlphabet {
  const char *place_hint; /* "a place is written …" */
  gboolean has_ssw;       /* may threads be said to synchronize? */
  const char *plain;      /* an access without any suffix that makes it stronger */
  gboolean has_local;     /* may locations be a work-group's own? */
  gboolean has_mbarriers;
  const ColumnsForm *forms;      /* a NULL word ends them */
  const ColumnsSuffix *suffixes; /* the same */
  const char *const *kinds;      /* per kind: what is missing: "a scope: .cta, .gpu or .sys" */
  /* Checks what depends on several suffixes, and sets the tags. */
  gboolean (*finish) (const ColumnsWords *words, ColumnsInstruction *instruction);
  const ColumnsStrength *strengths; /* the same; of one action, weakest first */
  const ColumnsFence *fences;       /* the same */
  guint64 classes;                  /* tags, of which a location has one */
  const char *class_noun;           /* "storage class" */
  guint64 alike;                    /* tags in which the barriers agree at which threads meet */
};

extern const ColumnsAlphabet rsp_ptx_alphabet, rsp_vulkan_alphabet, rsp_amdgpu_alphabet;

/* The longest form with which the instruction begins; NULL if there is none. */
const ColumnsForm *rsp_columns_form (const ColumnsAlphabet *alphabet, const char *instruction);
/* The words that an instruction of this kind may have: RspWordPlaces. */
guint rsp_columns_place (ColumnsAction action);

/* Is that a suffix which the instruction may have? Any other may be a word of a model. */
gboolean rsp_columns_takes (const ColumnsAlphabet *alphabet, const char *instruction,
                            const char *word);

/* NULL if there is none with this word. */
const ColumnsSuffix *rsp_columns_suffix (const ColumnsAlphabet *alphabet, const char *word);

/* The scope of a model's level, which the test names; its word is NULL for other levels. */
ColumnsSuffix rsp_columns_own_scope (const RspWords *words, guint level);

/* Is it a scope that is a level of a model? */
static inline gboolean rsp_columns_is_own_scope (const ColumnsSuffix *suffix) {
  return suffix->kind == COLUMNS_SCOPE && suffix->value < RSP_N_LEVELS
         && rsp_levels[suffix->value].own;
}

/* The suffix's bit in RspSpelling; 0 for types, which are not kept, and levels of models. */
static inline guint64 rsp_columns_suffix_bit (const ColumnsAlphabet *alphabet,
                                              const ColumnsSuffix *suffix) {
  return suffix->kind == COLUMNS_TYPE || rsp_columns_is_own_scope (suffix)
             ? 0
             : G_GUINT64_CONSTANT (1) << (suffix - alphabet->suffixes);
}

/* NULL for languages whose tests are not columns. */
const ColumnsAlphabet *rsp_columns_alphabet (const RspLanguage *language);

/* An instruction without operands ("ld.acquire.gpu"); FALSE after an error, which has no useful
 * place. */
gboolean rsp_columns_instruction (const RspLanguage *language, const char *word,
                                  ColumnsInstruction *instruction, RspDiagnostics *diagnostics);

/* ---- For `finish` ---- */
static inline gboolean rsp_columns_has (const ColumnsWords *words, ColumnsKind kind) {
  return words->suffixes[kind] != NULL;
}

static inline guint64 rsp_columns_tags (const ColumnsWords *words, ColumnsKind kind) {
  return words->suffixes[kind] ? words->suffixes[kind]->tags : 0;
}

/* The suffix's value, or `without` if there is none of the kind. */
static inline guint rsp_columns_value (const ColumnsWords *words, ColumnsKind kind, guint without) {
  return words->suffixes[kind] ? words->suffixes[kind]->value : without;
}

/* Reports a suffix of a kind that the instruction, as its other suffixes make it, must have
 * (needed) or must not have; TRUE if all is well. `as`: what it is ("weak"). */
gboolean rsp_columns_demand (const ColumnsWords *words, ColumnsKind kind, gboolean needed,
                             const char *as);

/* ---- Parse ---------------------------------------------------------------------------------- */

/* The language of a test whose threads are columns, by its first word; NULL if there is none. */
const RspLanguage *rsp_columns_recognise (const RspSource *source);

/* Completes program (its arena and source set) from the test. Errors go to diagnostics. */
void rsp_columns_resolve (RspProgram *program, LitmusTest *test, const ColumnsTest *columns,
                          RspDiagnostics *diagnostics);

/* ---- Spelling ------------------------------------------------------------------------------- */

/* The spelling of instructions, as mappings from a language with tags match it. */

/* "ld.acquire.gpu"; suffixes are in the order of the language's list. Newly allocated. */
char *rsp_columns_spell (const ColumnsAlphabet *alphabet, RspSpelling spelling);

/* The bits of all suffixes of the kind. */
guint64 rsp_columns_kind_bits (const ColumnsAlphabet *alphabet, ColumnsKind kind);

/* The values of the kind's suffixes among these, as bits; of the kinds SCOPE, CLASS and SEMANTICS.
 */
guint rsp_columns_values (const ColumnsAlphabet *alphabet, guint64 suffixes, ColumnsKind kind);

/* Do instructions say which storage classes they are about? */
static inline gboolean rsp_columns_has_classes (const ColumnsAlphabet *alphabet) {
  return alphabet->kinds[COLUMNS_SEMANTICS] != NULL;
}
