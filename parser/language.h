/* What distinguishes the languages of tests: the rows of languages.def. */
#pragma once

#include <glib.h>

typedef enum RspLanguageId {
#define RSP_LANGUAGE(id, ...) RSP_LANGUAGE_##id,
#include "parser/languages.def"
  RSP_N_LANGUAGES
} RspLanguageId;

/* Tags of events, and sets of them as bits. */
typedef enum RspTag {
#define RSP_TAG(id, languages, text) RSP_TAG_##id,
#include "parser/languages.def"
  RSP_N_TAGS
} RspTag;

#define RSP_TAG_BIT(id) (G_GUINT64_CONSTANT (1) << RSP_TAG_##id)

typedef struct RspTagWords {
  const char *name; /* in models */
  const char *text;
  guint languages; /* bits 1 << RspLanguageId */
} RspTagWords;

/* A scope of instructions. */
typedef struct RspLanguageLevel {
  RspLanguageId language;
  guint level;       /* RspLevel: the nodes that it covers */
  const char *word;  /* in instructions */
  const char *place; /* at a thread's place, unless it covers everything */
  RspTag tag;        /* of its events */
} RspLanguageLevel;

enum {
#define RSP_LANGUAGE_LEVEL(language, level, word, place, tag)                                      \
  RSP_LANGUAGE_LEVEL_##language##_##level,
#include "parser/languages.def"
  RSP_N_LANGUAGE_LEVELS
};

/* Words of a model that an operation may have (parser/program.h), and what they may stand at, as
 * bits. */
enum { RSP_MAX_WORDS = 16 };

typedef enum RspWordPlaces {
  RSP_WORD_READ = 1,
  RSP_WORD_WRITE = 2,
  RSP_WORD_RMW = 4,
  RSP_WORD_FENCE = 8, /* or barrier */
  RSP_WORD_ANYWHERE = 15,
  /* Or the level of the scope tree that it names, and the scope: those of RSP_OWN_LEVEL. */
  RSP_WORD_IN_KERNEL = 16,
  RSP_WORD_IN_WORK_GROUP = 32,
  RSP_WORD_IN_SUB_GROUP = 64
} RspWordPlaces;

#define RSP_OWN_SCOPE "memory_scope_" /* in front of the level's word */

/* Levels of the scope tree, from outside in. */
typedef enum RspLevel {
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed) RSP_LEVEL_##id,
#define RSP_OWN_LEVEL(id)                                                            RSP_LEVEL_##id,
#include "parser/scopes.def"
  RSP_N_LEVELS,
  RSP_LEVEL_THREAD = RSP_N_LEVELS, /* the innermost: one thread */
  RSP_LEVEL_SYSTEM                 /* the outermost: all threads */
} RspLevel;

/* The columns of RSP_LEVEL in parser/scopes.def. */
typedef struct RspLevelWords {
  const char *word, *text, *short_word;
  gboolean shared_in_tree, shared_elsewhere; /* is a node that is left out shared, or apart? */
  gboolean if_needed;                        /* printed only if a reader would not fill it in */
  guint8 own; /* RspWordPlaces of the words that may name it; 0: it has its name */
} RspLevelWords;

extern const RspLevelWords rsp_levels[RSP_N_LEVELS];

typedef enum RspRmwEvents {
  RSP_RMW_ONE_EVENT,
  RSP_RMW_LONE_EVENT, /* in the set X of models, and in their relation atom, but not in amo */
  RSP_RMW_TWO_EVENTS  /* a read and a write */
} RspRmwEvents;

typedef struct RspLanguage {
  RspLanguageId id;
  const char *word;          /* on a test's first line */
  const char *default_model; /* "opencl_rem.cat" */
  const char *newer_model;   /* of tests with words of newer versions; NULL: the same */
  gboolean scoped;           /* do threads have places in a scope tree? */
  gboolean cas_writeback;    /* a failing compare-exchange writes *expected by default */
  RspRmwEvents rmw;          /* what a read-modify-write is */
  gboolean failing_reads;    /* a failing compare-and-swap is a read, rather than a write of what it
                                read */
  gboolean place_from_0;     /* what a thread's place leaves out is number 0 */
  guint optional_levels;     /* bits of RspLevel: a place that leaves it out has a node of its own
                                around the node inside */
  gboolean partial_co;       /* coherence need not be total */
  gboolean tagged;           /* events have tags, instead of an order and a scope (RspScope) */
  gboolean declared_initial; /* all declared locations have an initial write, accessed or not */
  gboolean undefined_flags;  /* an execution that a model flags is undefined behaviour: races */
  gboolean herd_hash;        /* tests are hashed as herd7 does */
  gboolean counts_loops;     /* loops that count to a known number need no -unroll */
  gboolean round_barriers; /* threads meet at a barrier in the same rounds of the loops around it */
  gboolean only_barriers;  /* barriers, and not fences, are added between statements */
} RspLanguage;

extern const RspLanguage rsp_languages[RSP_N_LANGUAGES];

/* Kernels in OpenCL C: the language OPENCL but for how statements are written. */
extern const RspLanguage rsp_kernel_language;

/* Kernels and shaders in SPIR-V with Vulkan's memory model: the language VULKAN but for the same. A
 * failing compare-exchange only reads (SPIR-V, OpAtomicCompareExchange). */
extern const RspLanguage rsp_shader_language;

extern const RspTagWords rsp_tags[RSP_N_TAGS];

/* The scopes of all languages; those of a language from inside out. */
extern const RspLanguageLevel rsp_language_levels[RSP_N_LANGUAGE_LEVELS];

/* May a thread's place leave the level out, though others need not? */
static inline gboolean rsp_language_level_is_optional (const RspLanguageLevel *level) {
  return rsp_languages[level->language].optional_levels >> level->level & 1;
}

/* May the level be written at a thread's place? Not the outermost one, whose only node everything
 * shares. */
static inline gboolean rsp_language_level_has_place (const RspLanguageLevel *level) {
  guint next = (guint) (level - rsp_language_levels) + 1;
  return next < RSP_N_LANGUAGE_LEVELS && rsp_language_levels[next].language == level->language;
}

/* Is it written at every thread's place? */
static inline gboolean rsp_language_level_is_written (const RspLanguageLevel *level) {
  return rsp_language_level_has_place (level) && !rsp_language_level_is_optional (level);
}

/* The same of an RspLevel; TRUE where the language has no levels of its own. */
static inline gboolean rsp_language_writes (const RspLanguage *language, guint level) {
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == language->id && rsp_language_levels[i].level == level)
      return rsp_language_level_is_written (&rsp_language_levels[i]);
  return TRUE;
}

static inline gboolean rsp_language_has_tag (const RspLanguage *language, RspTag tag) {
  return (rsp_tags[tag].languages >> language->id & 1) != 0;
}
