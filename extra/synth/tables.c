/* The cheapest rows of a mapping. */
#include "parser/translation.h"
#include "extra/synth/synth.h"

#include <string.h>

enum {
  MOST_PIECES = 5 /* of a row */
};

/* A candidate for the instructions of a row. */
typedef struct Form {
  const RspMapCost *pieces[MOST_PIECES];
  guint n;
  guint64 cost;
  RspMapInstruction *instructions; /* of the pieces, in the mapping's arena */
  guint n_instructions;
} Form;

typedef struct OpenRow {
  RspMapRow *row; /* of the filled mapping */
  GArray *forms;  /* of Form, by cost */
} OpenRow;

/* A form for each row, and the total cost. Its successors raise one choice: the last that is not
 * the cheapest, or a later one, so each has exactly one predecessor. */
typedef struct Choice {
  guint64 cost;
  guint at[]; /* per open row */
} Choice;

struct SynthTables {
  RspMap map; /* with the rows filled */
  const RspMapMachine *machine;
  GArray *rows;       /* of OpenRow */
  GSequence *waiting; /* of Choice, by cost */
  Choice *choice;     /* the current one */
};

/* ---- Forms ---- */
/* May the row become this sequence? On a machine it must make the one access of the operation, or
 * none for a fence. */
static gboolean fits_row (const SynthTables *tables, const RspMapRow *row,
                          RspMapOperation operation, const Form *form) {
  static const RspMapKind kinds[] = {
    [RSP_MAP_LOAD] = RSP_MAP_LD, [RSP_MAP_STORE] = RSP_MAP_ST, [RSP_MAP_RMW] = RSP_MAP_READ_WRITE
  };
  gboolean is_fence = operation == RSP_MAP_FENCE;
  guint accesses = 0;
  RspMapRow filled = *row;
  RspMap alone = tables->map;
  const RspMapMachine *machine = tables->machine;
  filled.operation = operation;
  filled.instructions = form->instructions;
  filled.n_instructions = form->n_instructions;
  filled.next = NULL;
  alone.rows = &filled;
  g_autoptr (RspDiagnostics) ignored = rsp_diagnostics_new ();
  for (guint i = 0; machine && i < form->n_instructions; i++) {
    RspMapKind kind = form->instructions[i].kind;
    if (kind > RSP_MAP_READ_WRITE)
      continue;
    if (is_fence || kind != kinds[operation])
      return FALSE;
    accesses++;
  }
  if (machine)
    return accesses == !is_fence && machine->takes (machine, &alone, ignored);
  g_autoptr (RspTranslation) translation = rsp_translation_new (&alone, ignored);
  return translation != NULL;
}

static Form join_forms (const Form *a, const Form *b) {
  Form form = { .n = a->n + b->n, .cost = a->cost + b->cost };
  for (guint i = 0; i < form.n; i++)
    form.pieces[i] = i < a->n ? a->pieces[i] : b->pieces[i - a->n];
  return form;
}

static void write_instructions (RspArena *arena, Form *form) {
  form->n_instructions = 0;
  for (guint i = 0; i < form->n; i++)
    form->n_instructions += form->pieces[i]->n_instructions;
  RspMapInstruction *next = form->instructions
      = rsp_arena_new0 (arena, RspMapInstruction, form->n_instructions);
  for (guint i = 0; i < form->n; i++)
    for (guint k = 0; k < form->pieces[i]->n_instructions; k++)
      *next++ = form->pieces[i]->instructions[k];
}

static gint compare_forms (gconstpointer a, gconstpointer b) {
  guint64 x = ((const Form *) a)->cost, y = ((const Form *) b)->cost;
  return (x > y) - (x < y);
}

/* The pieces that may be a row of the operation by themselves (of Form). */
static GArray *find_pieces (const SynthTables *tables, const RspMapRow *row,
                            RspMapOperation operation) {
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Form));
  for (const RspMapCost *cost = tables->map.costs; cost; cost = cost->next) {
    Form form = { .pieces = { cost }, .n = 1, .cost = cost->cost };
    write_instructions (tables->map.arena, &form);
    if (fits_row (tables, row, operation, &form))
      g_array_append_val (found, form);
  }
  return found;
}

static void add_form (const SynthTables *tables, const RspMapRow *row, Form form, GArray *forms) {
  write_instructions (tables->map.arena, &form);
  if (fits_row (tables, row, row->operation, &form))
    g_array_append_val (forms, form);
}

/* The candidates for a row (of Form), by cost. */
static GArray *find_forms (const SynthTables *tables, const RspMapRow *row) {
  GArray *forms = g_array_new (FALSE, FALSE, sizeof (Form));
  gboolean is_fence = row->operation == RSP_MAP_FENCE;
  guint most = !tables->machine ? 1 : is_fence ? 3 : 2;
  g_autoptr (GArray) fences = find_pieces (tables, row, RSP_MAP_FENCE);
  g_autoptr (GArray) mains = find_pieces (tables, row, row->operation);
  g_autoptr (GArray) around = g_array_new (FALSE, FALSE, sizeof (Form));
  /* Around the access: sequences of at most `most` fences, the empty one first. Adjacent duplicates
   * are useless. */
  Form empty = { .n = 0 };
  g_array_append_val (around, empty);
  for (guint i = 0; i < around->len; i++)
    for (guint k = 0; k < fences->len; k++) {
      const Form *fence = &g_array_index (fences, Form, k);
      const Form *begin = &g_array_index (around, Form, i);
      if (begin->n == most || (begin->n && begin->pieces[begin->n - 1] == fence->pieces[0]))
        continue;
      Form form = join_forms (begin, fence);
      g_array_append_val (around, form);
    }
  for (guint i = 0; i < around->len; i++) {
    const Form *before = &g_array_index (around, Form, i);
    if (is_fence)
      add_form (tables, row, *before, forms);
    for (guint k = 0; !is_fence && k < mains->len; k++)
      for (guint j = 0; j < around->len; j++) {
        Form form = join_forms (before, &g_array_index (mains, Form, k));
        add_form (tables, row, join_forms (&form, &g_array_index (around, Form, j)), forms);
      }
  }
  g_array_sort (forms, compare_forms);
  return forms;
}

/* ---- Choices ---- */
static const Form *form_of (const SynthTables *tables, guint row, guint at) {
  return &g_array_index (g_array_index (tables->rows, OpenRow, row).forms, Form, at);
}

static gint compare_choices (gconstpointer a, gconstpointer b, gpointer data) {
  const SynthTables *tables = data;
  const Choice *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  return memcmp (x->at, y->at, tables->rows->len * sizeof x->at[0]);
}

gboolean rsp_synth_tables_next (SynthTables *tables) {
  GSequenceIter *first = g_sequence_get_begin_iter (tables->waiting);
  if (g_sequence_iter_is_end (first))
    return FALSE;
  const Choice *choice = g_sequence_get (first);
  gsize size = sizeof *choice + tables->rows->len * sizeof choice->at[0];
  g_free (tables->choice);
  choice = tables->choice = g_memdup2 (choice, size);
  g_sequence_remove (first);
  guint raised = tables->rows->len - 1;
  while (raised > 0 && choice->at[raised] == 0)
    raised--;
  for (; raised < tables->rows->len; raised++) {
    if (choice->at[raised] + 1 == g_array_index (tables->rows, OpenRow, raised).forms->len)
      continue;
    Choice *next = g_memdup2 (choice, size);
    guint at = next->at[raised]++;
    next->cost += form_of (tables, raised, at + 1)->cost - form_of (tables, raised, at)->cost;
    g_sequence_insert_sorted (tables->waiting, next, compare_choices, tables);
  }
  for (guint i = 0; i < tables->rows->len; i++) {
    const Form *form = form_of (tables, i, tables->choice->at[i]);
    RspMapRow *row = g_array_index (tables->rows, OpenRow, i).row;
    row->instructions = form->instructions;
    row->n_instructions = form->n_instructions;
  }
  return TRUE;
}

static void clear_row (gpointer row) { g_array_unref (((OpenRow *) row)->forms); }

SynthTables *rsp_synth_tables_new (const RspMap *map, const RspMapMachine *machine,
                                   RspDiagnostics *diagnostics) {
  g_autoptr (SynthTables) tables = g_new0 (SynthTables, 1);
  tables->map = *map;
  tables->machine = machine;
  tables->rows = g_array_new (FALSE, FALSE, sizeof (OpenRow));
  g_array_set_clear_func (tables->rows, clear_row);
  tables->waiting = g_sequence_new (g_free);
  RspMapRow **last = &tables->map.rows; /* where the copy of the next row goes */
  gboolean ok = TRUE;
  for (const RspMapRow *row = map->rows; row; row = row->next) {
    *last = rsp_arena_copy (map->arena, row, sizeof *row);
    if (row->open) {
      OpenRow open = { *last, find_forms (tables, row) };
      g_array_append_val (tables->rows, open);
      ok &= open.forms->len > 0;
      if (!open.forms->len)
        rsp_error (diagnostics, row->span,
                   tables->machine ? "`cost 2 : LD`" : "`cost 2 : ld.acquire.$S`",
                   "no instruction with a cost fits this row");
    }
    last = &(*last)->next;
  }
  if (!tables->rows->len)
    rsp_error (diagnostics, RSP_NOWHERE, "`load sc : ?`", "mapping %s: no row is open", map->name);
  if (!ok || !tables->rows->len)
    return NULL;
  Choice *first = g_malloc0 (sizeof (Choice) + tables->rows->len * sizeof first->at[0]);
  for (guint i = 0; i < tables->rows->len; i++)
    first->cost += form_of (tables, i, 0)->cost;
  g_sequence_append (tables->waiting, first);
  return g_steal_pointer (&tables);
}

void rsp_synth_tables_free (SynthTables *tables) {
  if (!tables)
    return;
  g_array_unref (tables->rows);
  g_sequence_free (tables->waiting);
  g_free (tables->choice);
  g_free (tables);
}

double rsp_synth_tables_count (const SynthTables *tables) {
  double count = 1;
  for (guint i = 0; i < tables->rows->len; i++)
    count *= g_array_index (tables->rows, OpenRow, i).forms->len;
  return count;
}

guint64 rsp_synth_tables_cost (const SynthTables *tables) { return tables->choice->cost; }

const RspMap *rsp_synth_tables_map (const SynthTables *tables) { return &tables->map; }

void rsp_synth_tables_each_row (const SynthTables *tables, SynthRowVisit visit, gpointer user) {
  for (guint i = 0; i < tables->rows->len; i++) {
    const RspMapRow *row = g_array_index (tables->rows, OpenRow, i).row;
    const Form *form = form_of (tables, i, tables->choice->at[i]);
    g_autoptr (GString) text = g_string_new (form->n ? "" : "NOP");
    for (guint k = 0; k < form->n; k++)
      g_string_append_printf (text, "%s%s", k ? "; " : "", form->pieces[k]->text);
    g_autofree char *head
        = g_strndup (row->span.source->text + row->span.begin, row->span.end - row->span.begin);
    visit (user, g_strstrip (head), text->str);
  }
}
