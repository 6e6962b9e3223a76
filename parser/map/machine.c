/* Machines made of caches: readings, and what their files say. */
#include "parser/map/machine.h"
#include "parser/map/internal.h"

#include <string.h>

/* ---- Readings ------------------------------------------------------------------------------- */

#define FIELD(field) G_STRUCT_OFFSET (RspReadings, field)

const RspReading rsp_reading_table[] = {
  { "rmw-waits",
    RSP_READING_OF_ALL,
    FIELD (rmw_waits),
    { "all", "own", "none" },
    "An access at an outer level (RMW L2, ST L2) waits for dirty copies of the line: until no "
    "cache inside "
    "that level has one (all), until none on the work-item's own path has one (own), or not at all "
    "(none)." },
  { "rmw-invalidates",
    RSP_READING_OF_ALL,
    FIELD (rmw_invalidates),
    { "all", "own", "none" },
    "It then invalidates the copies inside that level: all, those on the work-item's own path "
    "(own), or none." },
  { "locked-store",
    RSP_READING_OF_LOCKS,
    FIELD (locked_store),
    { "outer", "inner" },
    "A plain ST under LOCK rmw acts where an RMW of its scope does, that is at L2, or at MEM for "
    "all-svm-devices scope (outer); or at the innermost level like any ST (inner)." },
  { "all-access",
    RSP_READING_OF_ALL,
    FIELD (all_access),
    { "memory", "device" },
    "MEM in a row is global memory, or the outermost cache (device)." },
  { "all-reach",
    RSP_READING_OF_ALL,
    FIELD (all_reach),
    { "every", "device" },
    "`all` in FLU, INV and LOCK is every device, or only the work-item's own (device)." },
  { "fifo",
    RSP_READING_OF_CACHES,
    FIELD (fifo),
    { "queue", "set", "any" },
    "A store enters the FIFO even if its address is already in it (queue), or only if it is not "
    "(set); or "
    "the same, and any of its addresses may be drained next (any)." },
  { "accesses",
    RSP_READING_OF_ALL,
    FIELD (accesses),
    { "waited", "counted" },
    "A work-item waits for each access (waited), or goes on while accesses are outstanding, which "
    "take "
    "effect in any order, until a WAIT (counted): those of different locations, and those of "
    "different L1s." },
  { "inv-dirty",
    RSP_READING_OF_CACHES,
    FIELD (inv_dirty),
    { "mark", "skip" },
    "INV marks dirty lines as invalid too, and they keep their pending write (mark), or it skips "
    "them." },
  { "lock-drains",
    RSP_READING_OF_LOCKS,
    FIELD (lock_drains),
    { "awaited", "never", "any" },
    "Other work-groups may drain a locked line only if the holder waits for that (awaited), never, "
    "or at "
    "any time (any)." },
  { "fence",
    RSP_READING_OF_ALL,
    FIELD (fence),
    { "both", "order" },
    "A fence does all that its row says (both), or only what its order needs: no FLU unless it "
    "releases, "
    "no INV unless it acquires (order)." },
  { "fetch",
    RSP_READING_OF_CACHES,
    FIELD (fetch),
    { "any", "demand" },
    "A cache fetches and evicts at any time (any), or fetches only when a load misses, and never "
    "evicts "
    "(demand). Bills (-cost) always use `demand`." },
  { "reduction",
    RSP_READING_OF_ALL,
    FIELD (reduction),
    { "on", "off" },
    "Partial-order reduction of the search. Without it (off), each step of each cache is a step of "
    "the "
    "search: only for small tests, to check the reduction." },
  { .name = NULL }
};

/* Sets a reading that may be given where readings of this kind are. NULL, or what is wrong with
 * a hint or NULL, both newly allocated. value: NULL for the first. */
static char *set_reading (const RspReading *table, gpointer fields, gboolean of_all, guint of,
                          const char *name, const char *value, guint *number, char **hint) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; table[i].name; i++) {
    const RspReading *reading = &table[i];
    if (!of_all && reading->of != of)
      continue;
    g_ptr_array_add (names, (gpointer) reading->name);
    if (strcmp (reading->name, name) != 0)
      continue;
    *number = i;
    for (guint k = 0; reading->words[k]; k++)
      if (strcmp (reading->words[k], value ? value : reading->words[0]) == 0) {
        G_STRUCT_MEMBER (guint8, fields, reading->offset) = (guint8) k;
        return NULL;
      }
    g_autofree char *list = g_strjoinv ("`, `", (char **) reading->words);
    *hint = rsp_did_you_mean (value, reading->words);
    return g_strdup_printf ("%s `%s`: expected `%s`", name, value, list);
  }
  *hint = rsp_did_you_mean_in (name, names);
  g_autofree char *list = g_strjoinv ("`, `", (char **) names->pdata);
  return g_strdup_printf ("no such reading: `%s`: expected `%s`", name, list);
}

char *rsp_reading_set (const RspReading *table, gpointer fields, const char *text) {
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals ? g_strndup (text, (gsize) (equals - text)) : g_strdup (text);
  guint number;
  g_autofree char *hint = NULL;
  g_autofree char *wrong
      = set_reading (table, fields, TRUE, 0, name, equals ? equals + 1 : "", &number, &hint);
  return hint ? g_strconcat (wrong, "; ", hint, NULL) : g_steal_pointer (&wrong);
}

gboolean rsp_machine_read (RspMachine *machine, const char *text, char **message) {
  *message = rsp_reading_set (rsp_reading_table, &machine->readings, text);
  for (RspMachineLevel *level = machine->levels; level->name && !*message; level++)
    g_free (rsp_reading_set (rsp_reading_table, &level->readings, text));
  return !*message;
}

char *rsp_readings_format (const RspReading *table, gconstpointer fields) {
  GString *out = g_string_new (NULL);
  for (const RspReading *reading = table; reading->name; reading++) {
    guint8 value = G_STRUCT_MEMBER (guint8, fields, reading->offset);
    if (value)
      g_string_append_printf (out, "%s%s=%s", out->len ? " " : "", reading->name,
                              reading->words[value]);
  }
  return g_string_free (out, FALSE);
}

/* ---- Statements ----------------------------------------------------------------------------- */

/* A statement that the file says after another one like it is an error; one of an included file is
 * overridden. */

static RspSpan span_of (const MapParser *parser, TokenRange range) {
  return rsp_scan_span (&parser->scan, range);
}

static void report_twice (const MapParser *parser, TokenRange range, RspSpan first,
                          const char *what) {
  if (first.source == parser->scan.source)
    rsp_error (parser->diagnostics, span_of (parser, range), NULL, "%s is given twice", what);
}

void machine_begin (MapParser *parser, TokenRange range, const char *name) {
  RspMap *map = parser->map;
  if (map->rows || (parser->depth && !map->machine))
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "a mapping cannot include a machine");
  if (!map->machine) {
    map->machine = rsp_arena_new0 (map->arena, RspMachine, 1);
    map->machine->name = name;
  }
}

void machine_title (MapParser *parser, const char *title) {
  RspMachine *machine = parser->map->machine;
  machine->title = machine->title ? machine->title : title;
}

void machine_mapping (MapParser *parser, TokenRange range, const char *file) {
  RspMachine *machine = parser->map->machine;
  if (machine->mapping)
    return;
  machine->mapping = file;
  machine->mapping_span = span_of (parser, range);
}

/* ---- Caches and locks ---- */
/* The statement's readings go to *readings, and are marked in *settled. */
static void begin_readings (MapParser *parser, RspReadingOf of, RspReadings *readings,
                            guint *settled) {
  parser->of = of;
  parser->readings = readings;
  parser->settled = settled;
}

void machine_begin_cache (MapParser *parser, TokenRange range, const char *kind, const char *name,
                          TokenRange scope_range, const char *scope) {
  RspMachine *machine = parser->map->machine;
  RspMachineLevel *level = machine->levels;
  while (level->name && strcmp (level->name, name) != 0)
    level++;
  RspMachineLevel *overridden = rsp_arena_new0 (parser->map->arena, RspMachineLevel, 1);
  if (level->name) {
    report_twice (parser, range, level->span, name);
    level = overridden;
  } else if (level == machine->levels + RSP_MOST_CACHES || strcmp (name, "MEM") == 0) {
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               strcmp (name, "MEM") == 0 ? "`MEM` is the memory outside all caches"
                                         : "a machine has at most %d levels of caches",
               RSP_MOST_CACHES);
    level = overridden;
  }
  *level = (RspMachineLevel){ .name = name,
                              .per = map_scope (parser, scope_range, scope),
                              .is_buffer = strcmp (kind, "buffer") == 0,
                              .span = span_of (parser, range) };
  parser->level = level;
  begin_readings (parser, RSP_READING_OF_CACHES, &level->readings,
                  rsp_arena_new0 (parser->map->arena, guint, 1));
}

void machine_lock_line (MapParser *parser, TokenRange range, const char *what, const char *level) {
  RspMachine *machine = parser->map->machine;
  static const char *const words[] = { "line", NULL };
  if (strcmp (what, "line") != 0)
    map_unknown_word (parser, range, "a lock", what, words);
  if (machine->line_at)
    return;
  machine->line_at = level;
  machine->line_span = span_of (parser, range);
}

void machine_lock_rmw (MapParser *parser, TokenRange range, const char *what,
                       TokenRange scope_range, const char *scope) {
  RspMachine *machine = parser->map->machine;
  static const char *const words[] = { "rmw", NULL };
  if (strcmp (what, "rmw") != 0)
    map_unknown_word (parser, range, "a lock", what, words);
  RspScope per = map_scope (parser, scope_range, scope);
  machine->rmw_per = machine->has_rmw_lock ? machine->rmw_per : per;
  machine->has_rmw_lock = TRUE;
}

/* ---- Readings and units ---- */
void machine_begin_readings (MapParser *parser, RspReadingOf of) {
  parser->level = NULL;
  begin_readings (parser, of, &parser->map->machine->readings, &parser->map->machine->settled);
}

void machine_reading (MapParser *parser, TokenRange range, const char *name, const char *value) {
  RspReadings readings = *parser->readings;
  gboolean back = strcmp (name, "write_back") == 0, through = strcmp (name, "write_through") == 0;
  if (parser->level && (back || through) && !value) {
    parser->level->is_through = through;
    return;
  }
  guint number = G_MAXUINT;
  g_autofree char *hint = NULL;
  g_autofree char *message
      = set_reading (rsp_reading_table, &readings, FALSE, parser->of, name, value, &number, &hint);
  if (message)
    rsp_error (parser->diagnostics, span_of (parser, range),
               hint ? hint
               : parser->level && number == G_MAXUINT
                   ? "`write_back` and `write_through` say when stores leave the cache"
                   : NULL,
               "%s", message);
  else if (!(*parser->settled >> number & 1)) {
    *parser->readings = readings;
    *parser->settled |= 1u << number;
  }
}

void machine_unit (MapParser *parser, RspMapKind kind) {
  RspMachine *machine = parser->map->machine;
  machine->units_in = machine->units_in ? machine->units_in : parser->scan.source;
  if (machine->units_in == parser->scan.source) /* one of an included file is overridden */
    machine->units |= 1u << kind;
}

/* ---- Invariants ----------------------------------------------------------------------------- */

static const struct {
  const char *word, *name; /* name: NULL for a level's */
  RspLineSetKind kind;
} sets[] = { { "dirty", NULL, RSP_SET_DIRTY },    { "valid", NULL, RSP_SET_VALID },
             { "queued", NULL, RSP_SET_QUEUED },  { "owned", NULL, RSP_SET_OWNED },
             { "holding", "line", RSP_SET_LINE }, { "holding", "rmw", RSP_SET_RMWS } };

const RspLineSet *machine_set (MapParser *parser, TokenRange range, const char *word,
                               const char *name) {
  RspLineSet *set = rsp_arena_new0 (parser->map->arena, RspLineSet, 1);
  const char *words[G_N_ELEMENTS (sets) + 1] = { NULL }, *names[3] = { NULL };
  guint n = 0;
  *set = (RspLineSet){ .name = name, .span = span_of (parser, range) };
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++) {
    words[i] = sets[i].word;
    if (strcmp (sets[i].word, word) != 0)
      continue;
    if (!sets[i].name || strcmp (sets[i].name, name) == 0) {
      set->kind = sets[i].kind;
      return set;
    }
    names[n++] = sets[i].name;
  }
  words[G_N_ELEMENTS (sets) - 1] = NULL; /* `holding` again */
  if (n)
    map_unknown_word (parser, range, "a lock", name, names);
  else
    map_unknown_word (parser, range, "a set of caches or work-items", word, words);
  return set;
}

static gboolean is_of_work_items (const RspLineSet *set) {
  while (set->left)
    set = set->left;
  return set->kind == RSP_SET_LINE || set->kind == RSP_SET_RMWS;
}

/* Reports sets of different things. */
static void check_alike (const MapParser *parser, TokenRange range, const RspLineSet *a,
                         const RspLineSet *b) {
  if (is_of_work_items (a) != is_of_work_items (b))
    rsp_error (parser->diagnostics, span_of (parser, range), NULL,
               "one is a set of caches, the other of work-items");
}

const RspLineSet *machine_join (MapParser *parser, TokenRange range, RspLineSetKind kind,
                                const RspLineSet *left, const RspLineSet *right) {
  RspLineSet *set = rsp_arena_new0 (parser->map->arena, RspLineSet, 1);
  check_alike (parser, range, left, right);
  *set = (RspLineSet){ .kind = kind, .left = left, .right = right };
  return set;
}

RspInvariant *machine_counts (MapParser *parser, TokenRange range, const char *word,
                              const RspLineSet *set) {
  static const char *const words[] = { "no", "some", "lone", NULL };
  RspInvariant *invariant = rsp_arena_new0 (parser->map->arena, RspInvariant, 1);
  invariant->set = set;
  for (guint i = 0; words[i]; i++)
    if (strcmp (words[i], word) == 0) {
      invariant->quantity = (RspQuantity) i;
      return invariant;
    }
  map_unknown_word (parser, range, "how many", word, words);
  return invariant;
}

RspInvariant *machine_subset (MapParser *parser, TokenRange range, const RspLineSet *set,
                              const RspLineSet *in) {
  RspInvariant *invariant = rsp_arena_new0 (parser->map->arena, RspInvariant, 1);
  check_alike (parser, range, set, in);
  *invariant = (RspInvariant){ .quantity = RSP_SUBSET, .set = set, .in = in };
  return invariant;
}

void machine_per (MapParser *parser, RspInvariant *invariant, TokenRange range, const char *scope) {
  invariant->is_per = TRUE;
  invariant->per = map_scope (parser, range, scope);
}

void machine_invariant (MapParser *parser, TokenRange range, const char *name,
                        RspInvariant *invariant) {
  RspInvariant **last = &parser->map->machine->invariants;
  for (; *last; last = &(*last)->next)
    if (strcmp ((*last)->name, name) == 0) {
      report_twice (parser, range, (*last)->span, "this invariant");
      return;
    }
  invariant->name = name;
  invariant->span = span_of (parser, range);
  *last = invariant;
}

/* ---- The file ------------------------------------------------------------------------------- */

/* The number of the level; the first if there is none, which is reported. */
static guint find_level (const RspMachine *machine, const char *name, RspSpan span,
                         gboolean with_memory, RspDiagnostics *diagnostics) {
  const char *words[RSP_MOST_CACHES + 2] = { NULL };
  guint n = 0;
  for (; machine->levels[n].name; n++) {
    words[n] = machine->levels[n].name;
    if (strcmp (words[n], name) == 0)
      return n;
  }
  if (with_memory && strcmp (name, "MEM") == 0)
    return n;
  words[n] = with_memory ? "MEM" : NULL;
  if (!words[0]) {
    rsp_error (diagnostics, span, "`cache L1 per work_group` is one", "the machine has no caches");
    return 0;
  }
  g_autofree char *list = g_strjoinv ("`, `", (char **) words);
  g_autofree char *hint = rsp_did_you_mean (name, words);
  rsp_error (diagnostics, span, hint, "the machine has no level `%s`: expected `%s`", name, list);
  return 0;
}

static void find_levels (const RspMachine *machine, const RspLineSet *set,
                         RspDiagnostics *diagnostics) {
  if (!set)
    return;
  find_levels (machine, set->left, diagnostics);
  find_levels (machine, set->right, diagnostics);
  if (set->name && !is_of_work_items (set))
    ((RspLineSet *) set)->level = find_level (machine, set->name, set->span, TRUE, diagnostics);
}

/* FALSE after an error. */
static gboolean finish (RspMachine *machine, RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  /* From inside out; those of one scope stay in the order of the file. */
  for (guint i = 1; i < RSP_MOST_CACHES && machine->levels[i].name; i++)
    for (guint k = i; k > 0 && machine->levels[k].per < machine->levels[k - 1].per; k--) {
      RspMachineLevel level = machine->levels[k];
      machine->levels[k] = machine->levels[k - 1];
      machine->levels[k - 1] = level;
    }
  if (machine->line_at)
    machine->line_level
        = find_level (machine, machine->line_at, machine->line_span, FALSE, diagnostics);
  for (const RspInvariant *one = machine->invariants; one; one = one->next) {
    find_levels (machine, one->set, diagnostics);
    find_levels (machine, one->in, diagnostics);
  }
  const RspReadings first = machine->levels[0].readings;
  machine->readings.fifo = first.fifo;
  machine->readings.inv_dirty = first.inv_dirty;
  machine->readings.fetch = first.fetch;
  return rsp_diagnostics_count_errors (diagnostics) == errors;
}

RspMachine *rsp_machine_parse (RspSource *source, const char *const *directories, GHashTable *texts,
                               RspDiagnostics *diagnostics) {
  g_autoptr (RspMap) file = map_parse (source, directories, texts, diagnostics);
  if (!file)
    return NULL;
  if (!file->machine) {
    rsp_error (diagnostics, RSP_NOWHERE, "a machine's file begins with `machine \"NAME\"`",
               "%s is a mapping: give it with -mapping", source->name);
    return NULL;
  }
  if (file->rows) {
    rsp_error (diagnostics, file->rows->span, NULL, "a machine cannot include a mapping");
    return NULL;
  }
  RspMachine *machine = file->machine;
  machine->file = g_steal_pointer (&file);
  if (finish (machine, diagnostics))
    return machine;
  rsp_machine_free (machine);
  return NULL;
}

RspMachine *rsp_machine_load (const char *path, const char *const *directories,
                              RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, RSP_NOWHERE, diagnostics);
  return source ? rsp_machine_parse (source, directories, NULL, diagnostics) : NULL;
}

void rsp_machine_free (RspMachine *machine) {
  if (machine)
    rsp_map_free (machine->file);
}
