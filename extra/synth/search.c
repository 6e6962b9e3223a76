/* The search of all programs, and classes of what it finds. */
#include "base/json.h"
#include "extra/synth/shapes.h"
#include "extra/synth/internal.h"
#include "extra/synth/synth.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

typedef struct SynthKept SynthKept;

/* ---- Classes -------------------------------------------------------------------------------- */

/* How a symmetry moves the events of a finding's two programs. */
typedef struct Moves {
  SynthSymmetry program, other;
} Moves;

/* All findings of one shape and edit. */
typedef struct Group {
  GPtrArray *findings;               /* of SynthFinding, in the order of the search */
  RspCandidates *candidates;         /* of the program if outcomes count, else NULL */
  Moves moves[SYNTH_MAX_SYMMETRIES]; /* the first moves nothing */
  guint n_moves;
} Group;

/* Does the edit leave the thread unchanged? */
static gboolean is_untouched (const SynthFinding *finding, guint thread) {
  const SynthProgram *a = &finding->program, *b = &finding->other;
  guint f = 0;
  for (guint e = 0; e < a->shape.n_events; e++) {
    if (a->shape.events[e].thread != thread)
      continue;
    while (f < b->shape.n_events && b->shape.events[f].thread != thread)
      f++;
    const RspShapeEvent *x = &a->shape.events[e], *y = &b->shape.events[f];
    if (f == b->shape.n_events || x->kind != y->kind || x->half != y->half
        || x->location != y->location || x->address != y->address || x->flags != y->flags
        || !rsp_label_equal (&a->labels[e], &b->labels[f]))
      return FALSE;
    f++;
  }
  while (f < b->shape.n_events && b->shape.events[f].thread != thread)
    f++;
  return f == b->shape.n_events;
}

/* Does the order map each program to itself, and the edit to itself? */
static gboolean is_symmetry (const SynthFinding *finding, const SynthOrder *order) {
  if (!synth_order_is_symmetry (&finding->program.shape, order))
    return FALSE;
  if (!finding->has_other)
    return TRUE;
  for (guint t = 0; t < finding->program.shape.n_threads; t++)
    if (order->thread[t] != t && !is_untouched (finding, t))
      return FALSE;
  return synth_order_is_symmetry (&finding->other.shape, order);
}

static void add_moves (Group *group, const SynthFinding *finding, const SynthOrder *order) {
  Moves *moves = &group->moves[group->n_moves++];
  synth_order_moves (&finding->program.shape, order, &moves->program);
  synth_order_moves (&finding->other.shape, order, &moves->other);
}

static gboolean is_within (const SynthProgram *a, const SynthSymmetry *symmetry,
                           const SynthProgram *b) {
  for (guint e = 0; e < b->shape.n_events; e++)
    if (!rsp_synth_label_is_within (&a->labels[symmetry->moves[e]], &b->labels[e]))
      return FALSE;
  return TRUE;
}

/* Do the moves map a's outcome to b's? */
static gboolean moves_outcome (const Group *group, const Moves *moves, const SynthFinding *a,
                               const SynthFinding *b) {
  const RspCandidates *candidates = group->candidates;
  RspShapeOutcome moved;
  if (!candidates)
    return TRUE;
  if (MAX (a->outcome, b->outcome) >= candidates->n_outcomes)
    return a->outcome == b->outcome;
  rsp_synth_outcome_move (&a->program.shape, &moves->program, &candidates->outcomes[a->outcome],
                          &moved);
  return memcmp (&moved, &candidates->outcomes[b->outcome], sizeof moved) == 0;
}

/* Do they have the same outcome, and is no label of a stronger than that of b? */
static gboolean covers (const Group *group, const SynthFinding *a, const SynthFinding *b) {
  for (guint i = 0; i < group->n_moves; i++) {
    const Moves *moves = &group->moves[i];
    if (is_within (&a->program, &moves->program, &b->program)
        && is_within (&a->other, &moves->other, &b->other) && moves_outcome (group, moves, a, b))
      return TRUE;
  }
  return FALSE;
}

/* A number that is smaller for weaker labels. */
static guint total_strength (const SynthFinding *finding) {
  guint sum = 0;
  for (guint e = 0; e < finding->program.shape.n_events; e++)
    sum += rsp_synth_label_strength (&finding->program.shape, &finding->program.labels[e]);
  for (guint e = 0; e < finding->other.shape.n_events; e++)
    sum += rsp_synth_label_strength (&finding->other.shape, &finding->other.labels[e]);
  return sum;
}

static int compare_strength (gconstpointer a, gconstpointer b) {
  guint x = total_strength (*(SynthFinding *const *) a);
  guint y = total_strength (*(SynthFinding *const *) b);
  return x < y ? -1 : x > y;
}

/* The class of a finding among those from the index `first` on, or NULL. */
static SynthClass *find_class (const Group *group, const SynthFinding *finding, GArray *classes,
                               guint first) {
  for (guint i = first; i < classes->len; i++) {
    SynthClass *class = &g_array_index (classes, SynthClass, i);
    for (guint k = 0; k < group->n_moves; k++)
      if (moves_outcome (group, &group->moves[k], class->weakest, finding))
        return class;
  }
  return NULL;
}

/* Adds the classes of one kind, which differ in their outcomes. */
static void add_classes_of_kind (const Group *group, guint kind, GArray *classes) {
  g_autoptr (GPtrArray) findings = g_ptr_array_new ();
  for (guint i = 0; i < group->findings->len; i++)
    if (((const SynthFinding *) group->findings->pdata[i])->kinds & kind)
      g_ptr_array_add (findings, group->findings->pdata[i]);
  /* By strength: findings that cover another one come before it. */
  g_autoptr (GPtrArray) weakest = g_ptr_array_new ();
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (findings, NULL, NULL);
  g_ptr_array_sort (sorted, compare_strength);
  for (guint i = 0; i < sorted->len; i++) {
    gboolean covered = FALSE;
    for (guint k = 0; k < weakest->len && !covered; k++)
      covered = covers (group, weakest->pdata[k], sorted->pdata[i]);
    if (!covered)
      g_ptr_array_add (weakest, sorted->pdata[i]);
  }
  guint first = classes->len;
  for (guint i = 0; i < findings->len; i++) {
    if (!g_ptr_array_find (weakest, findings->pdata[i], NULL))
      continue;
    SynthClass new = { .weakest = findings->pdata[i] };
    SynthClass *class = find_class (group, new.weakest, classes, first);
    if (!class) {
      g_array_append_val (classes, new);
      class = &g_array_index (classes, SynthClass, classes->len - 1);
    }
    class->n_weakest++;
  }
  for (guint i = 0; i < findings->len; i++)
    find_class (group, findings->pdata[i], classes, first)->labellings++;
}

static char *shape_code (const SynthProgram *program) {
  SynthProgram bare = *program;
  memset (bare.labels, 0, sizeof bare.labels);
  return rsp_synth_program_code (&bare);
}

static void free_group (gpointer data) {
  Group *group = data;
  g_ptr_array_unref (group->findings);
  rsp_candidates_free (group->candidates);
  g_free (group);
}

GArray *rsp_synth_classes_new (const SynthQuestion *question, const GPtrArray *found) {
  GArray *classes = g_array_new (FALSE, FALSE, sizeof (SynthClass));
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (free_group);
  for (guint i = 0; i < found->len; i++) {
    SynthFinding *finding = found->pdata[i];
    g_autofree char *program = shape_code (&finding->program);
    g_autofree char *other = shape_code (&finding->other);
    g_autofree char *key = g_strjoin (" ", program, other, finding->edit, NULL);
    Group *group = g_hash_table_lookup (by_key, key);
    if (!group) {
      SynthOrder orders[SYNTH_MAX_SYMMETRIES], own = { { 0, 1, 2, 3, 4, 5, 6, 7 } };
      guint n = synth_orders_of_lengths (&finding->program.shape, orders);
      group = g_new0 (Group, 1);
      group->findings = g_ptr_array_new ();
      if (question->about_outcomes)
        group->candidates = rsp_candidates_new (&finding->program.shape);
      add_moves (group, finding, &own);
      for (guint k = 0; k < n; k++)
        if (is_symmetry (finding, &orders[k]))
          add_moves (group, finding, &orders[k]);
      g_ptr_array_add (groups, group);
      g_hash_table_insert (by_key, g_steal_pointer (&key), group);
    }
    g_ptr_array_add (group->findings, finding);
  }
  for (guint i = 0; i < groups->len; i++) {
    guint first = classes->len;
    for (guint kind = 0; kind < question->n_kinds; kind++) {
      guint n = classes->len;
      add_classes_of_kind (groups->pdata[i], 1u << kind, classes);
      /* A finding that is the weakest of two kinds stands for the first kind. */
      for (guint c = first; c < n && classes->len > n; c++)
        if (g_array_index (classes, SynthClass, c).weakest
            == g_array_index (classes, SynthClass, n).weakest)
          g_array_set_size (classes, n);
    }
  }
  return classes;
}

/* ---- Kept ----------------------------------------------------------------------------------- */

/* Finished blocks in a file, so that an interrupted search can be continued and shares can be
 * combined: the concatenated files of all shares are a file of the whole.
 *
 *   KEY <tab> EVENTS <tab> SOUGHT <tab> BLOCK {<tab> FINDING} <tab> end
 *
 * Lines with a different key, and unfinished ones (without `end`), are ignored. */

struct SynthKept {
  char *path, *key;
  char **lines; /* of the file as it was; NULL-terminated */
  FILE *stream;
  int error; /* errno of the first failed write */
};

enum { FIELD_KEY, FIELD_EVENTS, FIELD_SOUGHT, FIELD_BLOCK, FIELD_FINDINGS };

/* Reads the file, which need not exist, and opens it for appending. NULL after an error, which is
 * reported in diagnostics. */
static SynthKept *open_kept (const char *path, const char *key, RspDiagnostics *diagnostics) {
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  if (!g_file_get_contents (path, &text, NULL, &error)
      && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    return NULL;
  }
  FILE *stream = g_fopen (path, "a");
  if (!stream) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: %s", path, g_strerror (errno));
    return NULL;
  }
  if (text && text[0] && !g_str_has_suffix (text, "\n"))
    fputc ('\n', stream); /* after an unfinished line */
  SynthKept *kept = g_new0 (SynthKept, 1);
  kept->path = g_strdup (path);
  kept->key = g_strdup (key);
  kept->lines = g_strsplit (text ? text : "", "\n", -1);
  kept->stream = stream;
  return kept;
}

/* FALSE if something could not be written, which is reported in diagnostics. NULL is ignored. */
static gboolean close_kept (SynthKept *kept, RspDiagnostics *diagnostics) {
  if (!kept)
    return TRUE;
  if (fclose (kept->stream) != 0 && !kept->error)
    kept->error = errno;
  gboolean good = kept->error == 0;
  if (!good)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: %s", kept->path, g_strerror (kept->error));
  g_free (kept->path);
  g_free (kept->key);
  g_strfreev (kept->lines);
  g_free (kept);
  return good;
}

/* Stores the kept blocks of a size in blocks (by number, GPtrArray of SynthFinding), if all the
 * kinds in sought were searched for; other kinds are left out, and so are blocks with a field that
 * is not a finding. */
static void take_kept (const SynthKept *kept, const SynthSpace *space, guint events, guint sought,
                       GPtrArray *blocks) {
  for (guint i = 0; kept->lines[i]; i++) {
    guint64 size, kinds, block;
    g_auto (GStrv) fields = g_strsplit (kept->lines[i], "\t", -1);
    guint n = g_strv_length (fields);
    if (n <= FIELD_FINDINGS || strcmp (fields[FIELD_KEY], kept->key) != 0
        || strcmp (fields[n - 1], "end") != 0
        || !g_ascii_string_to_unsigned (fields[FIELD_EVENTS], 10, 0, 64, &size, NULL)
        || !g_ascii_string_to_unsigned (fields[FIELD_SOUGHT], 10, 0, G_MAXUINT, &kinds, NULL)
        || !g_ascii_string_to_unsigned (fields[FIELD_BLOCK], 10, 0, G_MAXINT / 2, &block, NULL)
        || size != events || (kinds & sought) != sought)
      continue;
    if (blocks->len <= block)
      g_ptr_array_set_size (blocks, (gint) block + 1);
    if (blocks->pdata[block])
      continue;
    GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) synth_finding_free);
    for (guint f = FIELD_FINDINGS; found && f + 1 < n; f++) {
      SynthFinding *finding = synth_finding_decode (fields[f], space);
      if (finding && (finding->kinds &= sought))
        g_ptr_array_add (found, g_steal_pointer (&finding));
      else if (!finding)
        g_clear_pointer (&found, g_ptr_array_unref);
      synth_finding_free (finding);
    }
    blocks->pdata[block] = found;
  }
}

/* ---- Result --------------------------------------------------------------------------------- */

const char *rsp_synth_verdict_word (const SynthVerdict *verdict) {
  return verdict->undefined ? "undefined" : verdict->allowed ? "allowed" : "forbidden";
}

typedef struct Making {
  SynthResult *result;
  const SynthQuestion *question;
  gboolean opencl;
  const RspStageOptions *stage;
  RspDiagnostics *diagnostics;
} Making;

/* The naive engine confirms the verdict. If executions are undefined, not programs, only those of
 * the outcome count. */
static gboolean add_verdict (Making *making, const RspModel *model, const char *label,
                             const SynthProgram *program, const RspShapeOutcome *outcome) {
  SynthView view;
  g_autofree char *shown = rsp_synth_outcome_format (program, outcome);
  const char *condition = shown[0] ? shown : "true";
  gboolean by_outcome = synth_is_by_outcome (making->question, program->shape.language);
  g_autofree char *plain = rsp_synth_program_print (program, making->opencl, NULL, condition);
  const char *exists = g_strrstr (plain, "exists");
  g_autofree char *text = by_outcome
                              ? g_strdup_printf ("%.*sfilter (%s)\n%s", (int) (exists - plain),
                                                 plain, condition, exists)
                              : g_strdup (plain);
  if (!synth_view (model, program, outcome, by_outcome, making->stage, &view, making->diagnostics))
    return FALSE;
  gboolean good = synth_confirm (model, text, &view, making->stage, making->diagnostics);
  SynthVerdict verdict = { label, view.undefined, view.allowed, view.blame };
  g_array_append_val (making->result->verdicts, verdict);
  return good;
}

/* The verdict of the first model on the other program. */
static gboolean add_other_verdict (Making *making, const SynthFinding *finding,
                                   const RspModel *model, const char *label) {
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (&finding->other.shape);
  if (finding->other_outcome >= candidates->n_outcomes)
    return FALSE;
  const RspShapeOutcome *outcome = &candidates->outcomes[finding->other_outcome];
  making->result->other_outcome = rsp_synth_outcome_format (&finding->other, outcome);
  return add_verdict (making, model, label, &finding->other, outcome);
}

/* The target's verdict on the translation, by the naive engine. */
static gboolean add_target_verdict (Making *making, const SynthTarget *target,
                                    const SynthProgram *program) {
  const char *condition = making->result->outcome[0] ? making->result->outcome : "true";
  g_autofree char *text = rsp_synth_program_print (program, making->opencl, NULL, condition);
  SynthVerdict verdict = { .model = target->label };
  if (!rsp_synth_target_allows (target, text, RSPCHECK_ENGINE_NAIVE, &verdict.allowed,
                                making->diagnostics))
    return FALSE;
  g_array_append_val (making->result->verdicts, verdict);
  if (!verdict.allowed)
    rsp_error (making->diagnostics, RSP_NOWHERE, "this is a bug in rspcheck",
               "model %s: the naive engine does not confirm what was found:\n%s", target->label,
               text);
  return verdict.allowed;
}

static void free_verdict (gpointer data) { g_free (((SynthVerdict *) data)->blame); }

SynthResult *rsp_synth_result_new (const SynthQuestion *question, const SynthFinding *finding,
                                   gboolean opencl, RspModel *const *models,
                                   const char *const *labels, guint n_models,
                                   const RspStageOptions *stage, const SynthTarget *target,
                                   RspDiagnostics *diagnostics) {
  SynthResult *result = g_new0 (SynthResult, 1);
  GString *kinds = g_string_new (NULL);
  result->verdicts = g_array_new (FALSE, FALSE, sizeof (SynthVerdict));
  g_array_set_clear_func (result->verdicts, free_verdict);
  result->name = rsp_synth_program_name (&finding->program, opencl);
  result->summary = synth_program_summary (&finding->program, opencl);
  for (guint i = 0; i < question->n_kinds; i++)
    if (finding->kinds >> i & 1)
      g_string_append_printf (kinds, "%s%s", kinds->len ? "; " : "", question->kinds[i]);
  result->kinds = g_string_free (kinds, FALSE);
  if (finding->has_other) {
    result->other_name = rsp_synth_program_name (&finding->other, opencl);
    result->other_summary = synth_program_summary (&finding->other, opencl);
    result->edit = g_strdup (finding->edit);
  }
  Making making = { result, question, opencl, stage, diagnostics };
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (&finding->program.shape);
  gboolean good = finding->outcome < candidates->n_outcomes;
  if (good) {
    const RspShapeOutcome *outcome = &candidates->outcomes[finding->outcome];
    result->outcome = rsp_synth_outcome_format (&finding->program, outcome);
    for (guint m = 0; m < n_models && good; m++)
      good = add_verdict (&making, models[m], labels[m], &finding->program, outcome);
    good = good
           && (!finding->has_other || add_other_verdict (&making, finding, models[0], labels[0]))
           && (!target || add_target_verdict (&making, target, &finding->program));
  }
  if (!good) {
    rsp_synth_result_free (result);
    return NULL;
  }
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "Found by rspcheck -%s: %s.", question->name, result->kinds);
  if (result->edit)
    g_string_append_printf (text, "\nBefore and after this: %s.\n  %s\n  %s", result->edit,
                            result->summary, result->other_summary);
  for (guint i = 0; i < result->verdicts->len; i++) {
    const SynthVerdict *verdict = &g_array_index (result->verdicts, SynthVerdict, i);
    g_string_append_printf (text, "\n%s: %s", verdict->model, rsp_synth_verdict_word (verdict));
    if (verdict->blame && !verdict->undefined)
      g_string_append_printf (text, " by %s", verdict->blame);
  }
  g_autofree char *comment = g_string_free (text, FALSE);
  result->text = rsp_synth_program_print (&finding->program, opencl, comment,
                                          result->outcome[0] ? result->outcome : "true");
  if (finding->has_other)
    result->other_text
        = rsp_synth_program_print (&finding->other, opencl, comment,
                                   result->other_outcome[0] ? result->other_outcome : "true");
  return result;
}

void rsp_synth_result_set_class (SynthResult *result, const SynthClass *class, gboolean opencl) {
  const SynthVerdict *reason = NULL; /* the first undefined verdict, or else the first forbidden */
  for (guint i = 0; i < result->verdicts->len; i++) {
    const SynthVerdict *verdict = &g_array_index (result->verdicts, SynthVerdict, i);
    if (verdict->undefined ? !reason || !reason->undefined : !verdict->allowed && !reason)
      reason = verdict;
  }
  if (reason)
    result->reason = g_strdup_printf ("%s: %s by %s", reason->model,
                                      rsp_synth_verdict_word (reason), reason->blame);
  result->shape = rsp_synth_shape_name (&class->weakest->program.shape, opencl);
  result->twins = synth_program_twins (&class->weakest->program);
  result->labellings = class->labellings;
  result->n_weakest = class->n_weakest;
}

void rsp_synth_result_free (SynthResult *result) {
  if (!result)
    return;
  char *texts[]
      = { result->name,          result->text,       result->summary,    result->outcome,
          result->kinds,         result->other_name, result->other_text, result->other_summary,
          result->other_outcome, result->edit,       result->shape,      result->reason,
          result->twins };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_array_unref (result->verdicts);
  g_free (result);
}

/* ---- JSON ---- */
void rsp_synth_result_json (const SynthResult *result, const SynthQuestion *question,
                            GString *out) {
  RspJson *verdicts = rsp_json_list ();
  for (guint i = 0; i < result->verdicts->len; i++) {
    const SynthVerdict *verdict = &g_array_index (result->verdicts, SynthVerdict, i);
    rsp_json_add (verdicts, rsp_json_object (
                                "model", rsp_json_text (verdict->model), "verdict",
                                rsp_json_text (rsp_synth_verdict_word (verdict)), "blame",
                                rsp_json_text (verdict->undefined ? NULL : verdict->blame), NULL));
  }
  RspJson *class = result->shape
                       ? rsp_json_object ("shape", rsp_json_text (result->shape), "labellings",
                                          rsp_json_number (result->labellings), "weakest",
                                          rsp_json_number (result->n_weakest), "twins",
                                          rsp_json_text (result->twins), NULL)
                       : NULL;
  g_autoptr (RspJson) object = rsp_json_object (
      "question", rsp_json_text (question->name), "found", rsp_json_text (result->kinds), "test",
      rsp_json_text (result->name), "summary", rsp_json_text (result->summary), "outcome",
      rsp_json_text (result->outcome), "edit", rsp_json_text (result->edit), "other",
      rsp_json_text (result->other_summary), "verdicts", verdicts, "source",
      rsp_json_text (result->text), "other_source", rsp_json_text (result->other_text), "reason",
      class ? rsp_json_text (result->reason) : NULL, "class", class, NULL);
  rsp_json_append_line (object, out);
}

/* ---- Search --------------------------------------------------------------------------------- */

/* One thread's part of a size. Blocks are distributed over the shares, and the blocks of a share
 * over its threads, so a share's contents do not depend on the number of threads. */
typedef struct Worker {
  SynthSearch *search;
  guint events, number; /* number: among the threads, from 0 */
  guint sought;
  SynthKept *kept;
  GPtrArray *blocks; /* shared: per number, a GPtrArray of SynthFinding; NULL: not searched yet */
  GMutex *lock;
  RspDiagnostics *diagnostics;
  guint64 index; /* of the next shape */
  SynthWork work;
  double programs;
  gboolean counts; /* adds up programs: one part does */
  gint64 reported; /* when progress was last reported */
  gint64 start;
  double total; /* shapes of the size; 0: unknown */
  gint *
      elsewhere; /* of a scout, shared by all: the kinds that other shares have, as bits; or NULL */
} Worker;

static gsize bytes_of (const GPtrArray *found) {
  return found->len * (sizeof (SynthFinding) + sizeof (gpointer));
}

static gboolean is_own (const Worker *part, guint64 block) {
  const SynthSearch *search = part->search;
  if (part->elsewhere)
    return block % search->shares != search->share && block % search->jobs == part->number;
  return block % search->shares == search->share
         && block / search->shares % search->jobs == part->number;
}

static gboolean is_done (Worker *part, guint64 block) {
  g_mutex_lock (part->lock);
  gboolean done = block < part->blocks->len && part->blocks->pdata[block];
  g_mutex_unlock (part->lock);
  return done;
}

/* Keeps the findings of a block that this part has searched. */
static void end_block (Worker *part, guint64 block) {
  GPtrArray *found = part->work.found;
  if (part->elsewhere || !is_own (part, block) || is_done (part, block))
    return;
  part->work.found = g_ptr_array_new_with_free_func ((GDestroyNotify) synth_finding_free);
  g_mutex_lock (part->lock);
  if (part->blocks->len <= block)
    g_ptr_array_set_size (part->blocks, (gint) block + 1);
  if (part->kept) {
    g_autoptr (GString) line = g_string_new (NULL);
    g_string_append_printf (line, "%s\t%u\t%u\t%" G_GUINT64_FORMAT, part->kept->key, part->events,
                            part->sought, block);
    for (guint i = 0; i < found->len; i++) {
      g_autofree char *finding = synth_finding_encode (found->pdata[i]);
      g_string_append_printf (line, "\t%s", finding);
    }
    g_string_append (line, "\tend\n");
    if ((fwrite (line->str, 1, line->len, part->kept->stream) != line->len
         || fflush (part->kept->stream) != 0)
        && !part->kept->error)
      part->kept->error = errno ? errno : EIO;
  }
  part->blocks->pdata[block] = found;
  rsp_budget_charge (&part->search->budget, (gssize) bytes_of (found));
  g_mutex_unlock (part->lock);
}

static gboolean visit_shape (gpointer data, const RspShape *shape, const SynthSymmetry *symmetries,
                             guint n_symmetries) {
  Worker *part = data;
  SynthSearch *search = part->search;
  guint64 index = part->index++, block = index / SYNTH_BLOCK;
  if (index % SYNTH_BLOCK == 0 && index)
    end_block (part, block - 1);
  if (part->counts)
    part->programs += synth_shape_programs (search->space, shape, symmetries, n_symmetries);
  gint64 now = g_get_monotonic_time ();
  if (search->progress && part->number == 0 && now - part->reported >= 200000) {
    part->reported = now;
    search->progress (search->data, part->events,
                      part->total ? (double) part->index / part->total : 0,
                      (double) (now - part->start) / 1e6);
  }
  if (!rsp_budget_affords (&search->budget, bytes_of (part->work.found))
      || rsp_budget_is_exhausted (&search->budget))
    g_atomic_int_set (search->stop, 1);
  if (g_atomic_int_get (search->stop))
    return FALSE;
  if (!is_own (part, block) || is_done (part, block))
    return TRUE;
  if (part->elsewhere)
    part->work.sought = part->sought & ~(guint) g_atomic_int_get (part->elsewhere);
  if (!part->work.sought)
    return FALSE;
  gboolean done = search->question->search (&part->work, shape, symmetries, n_symmetries);
  if (part->work.failed)
    g_atomic_int_set (search->stop, 1);
  if (part->elsewhere) { /* a scout keeps no findings: it does not search for all kinds */
    GPtrArray *found = part->work.found;
    for (guint i = 0; i < found->len; i++)
      g_atomic_int_or (part->elsewhere, ((const SynthFinding *) found->pdata[i])->kinds);
    g_ptr_array_set_size (found, 0);
  }
  return done && !synth_target_is_enough (&part->work);
}

static gpointer run_part (gpointer data) {
  Worker *part = data;
  SynthSearch *search = part->search;
  part->work = (SynthWork){ .space = search->space,
                            .models = search->models,
                            .n_models = search->n_models,
                            .stage = search->stage,
                            .target = search->target,
                            .diagnostics = part->diagnostics,
                            .stop = search->stop,
                            .sought = part->sought };
  part->work.found = g_ptr_array_new_with_free_func ((GDestroyNotify) synth_finding_free);
  gboolean done = synth_shapes_each (search->space, part->events, visit_shape, part);
  if ((done || synth_target_is_enough (&part->work)) && part->index)
    end_block (part, (part->index - 1) / SYNTH_BLOCK);
  g_ptr_array_unref (part->work.found);
  return NULL;
}

static gboolean count_shape (gpointer data, const RspShape *shape, const SynthSymmetry *symmetries,
                             guint n) {
  (void) shape;
  (void) symmetries;
  (void) n;
  ++*(double *) data;
  return TRUE;
}

static void free_block (gpointer block) {
  if (block)
    g_ptr_array_unref (block);
}

/* Runs the first part in this thread, and a thread for each of the others. */
static void run_parts (SynthSearch *search, Worker *parts) {
  guint n = search->jobs;
  g_autofree GThread **threads = g_new0 (GThread *, n);
  for (guint i = 0; i < n; i++) {
    parts[i].diagnostics = rsp_diagnostics_new ();
    threads[i] = i ? g_thread_try_new ("synth", run_part, &parts[i], NULL) : NULL;
  }
  for (guint i = 0; i < n; i++) {
    if (threads[i])
      g_thread_join (threads[i]);
    else
      run_part (&parts[i]);
    search->complete &= !parts[i].work.failed;
    rsp_diagnostics_move (search->diagnostics, parts[i].diagnostics);
    rsp_diagnostics_free (parts[i].diagnostics);
  }
}

/* The kinds among those sought that other shares have at this size: the search of their blocks ends
 * once there is one program of each kind. done: blocks whose findings are known. */
static guint kinds_elsewhere (SynthSearch *search, const Worker *done, guint sought) {
  gint found = 0;
  g_autofree Worker *scouts = g_new0 (Worker, search->jobs);
  for (guint i = 0; i < search->jobs; i++)
    scouts[i] = (Worker){ .search = search,
                          .events = done->events,
                          .number = i,
                          .sought = sought,
                          .blocks = done->blocks,
                          .lock = done->lock,
                          .elsewhere = &found };
  run_parts (search, scouts);
  return (guint) found;
}

static gboolean search_size (SynthSearch *search, SynthKept *kept, guint events, guint sought) {
  GMutex lock;
  double total = 0;
  gint64 start = g_get_monotonic_time ();
  SynthSize size = { .events = events };
  g_autofree Worker *parts = g_new0 (Worker, search->jobs);
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (free_block);
  g_mutex_init (&lock);
  if (search->progress)
    synth_shapes_each (search->space, events, count_shape, &total);
  if (kept)
    take_kept (kept, search->space, events, sought, blocks);
  for (guint i = 0; i < blocks->len; i++)
    if (blocks->pdata[i])
      rsp_budget_charge (&search->budget, (gssize) bytes_of (blocks->pdata[i]));
  for (guint i = 0; i < search->jobs; i++)
    parts[i] = (Worker){ .search = search,
                         .events = events,
                         .number = i,
                         .sought = sought,
                         .kept = kept,
                         .blocks = blocks,
                         .lock = &lock,
                         .counts = i == 0,
                         .start = start,
                         .total = total };
  run_parts (search, parts);
  size.programs = parts[0].programs;
  for (guint b = 0; b < blocks->len; b++) {
    GPtrArray *found = blocks->pdata[b];
    for (guint i = 0; found && i < found->len; i++) {
      SynthFinding *finding = found->pdata[i];
      size.found++;
      size.kinds |= finding->kinds;
      g_ptr_array_add (search->found, finding);
    }
    if (found) { /* its findings belong to the search now */
      g_ptr_array_set_free_func (found, NULL);
      g_ptr_array_set_size (found, 0);
    }
  }
  /* If a search ends with the smallest programs, each share must know what the others find. */
  if (search->shares > 1 && !search->all && !search->question->all_sizes
      && events < search->space->events && (sought & ~size.kinds))
    size.kinds |= kinds_elsewhere (search, &parts[0], sought & ~size.kinds);
  g_array_append_val (search->sizes, size);
  g_mutex_clear (&lock);
  return !g_atomic_int_get (search->stop);
}

/* Unless all programs are requested, kinds that a smaller program shows are no longer searched for.
 */
gboolean rsp_synth_search_run (SynthSearch *search) {
  guint sought = (1u << search->question->n_kinds) - 1;
  SynthKept *kept = NULL;
  search->found = g_ptr_array_new_with_free_func ((GDestroyNotify) synth_finding_free);
  search->sizes = g_array_new (FALSE, FALSE, sizeof (SynthSize));
  search->complete = TRUE;
  if (search->kept && !(kept = open_kept (search->kept, search->key, search->diagnostics)))
    return FALSE;
  for (guint n = 1; n <= search->space->events && sought && search->complete; n++) {
    if (!search_size (search, kept, n, sought))
      search->complete = FALSE;
    if (!search->all && !search->question->all_sizes)
      sought &= ~g_array_index (search->sizes, SynthSize, search->sizes->len - 1).kinds;
  }
  gboolean good = close_kept (kept, search->diagnostics);
  return good && rsp_diagnostics_count_errors (search->diagnostics) == 0;
}

void rsp_synth_search_clear (SynthSearch *search) {
  if (search->found)
    g_ptr_array_unref (search->found);
  if (search->sizes)
    g_array_unref (search->sizes);
}
