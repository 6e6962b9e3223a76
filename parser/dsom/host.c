/* The host's commands as a list, each with the commands that must be complete before it. */
#include "parser/dsom/host.h"

#include "base/suggest.h"

/* The last commands of a part, which the next part waits for. */
typedef GArray Frontier; /* of guint */

typedef struct Walk {
  DsomResolver *resolver;
  GArray *commands; /* of RspDsomCommand */
  gboolean failed;
} Walk;

static Frontier *frontier_new (void) { return g_array_new (FALSE, FALSE, sizeof (guint)); }

static Frontier *frontier_copy (const Frontier *frontier) {
  Frontier *copy = frontier_new ();
  if (frontier->len)
    g_array_append_vals (copy, frontier->data, frontier->len);
  return copy;
}

static void frontier_add (Frontier *to, const Frontier *from) {
  for (guint i = 0; i < from->len; i++) {
    guint number = g_array_index (from, guint, i);
    gboolean has = FALSE;
    for (guint k = 0; k < to->len; k++)
      has |= g_array_index (to, guint, k) == number;
    if (!has)
      g_array_append_val (to, number);
  }
}

/* ---- One command ---- */

static void fail (Walk *walk, RspSpan span, const char *hint, char *message) {
  rsp_error (walk->resolver->diagnostics, span, hint, "%s", message);
  g_free (message);
  walk->failed = TRUE;
}

static void find_kernel (Walk *walk, const DsomCommand *syntax, RspDsomCommand *command) {
  RspDsomProgram *program = walk->resolver->program;
  gpointer found = g_hash_table_lookup (walk->resolver->kernels, syntax->kernel);
  command->kernel = GPOINTER_TO_UINT (found) - 1;
  if (found)
    return;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < program->n_kernels; i++)
    g_ptr_array_add (names, (gpointer) program->kernels[i].name);
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = rsp_did_you_mean (syntax->kernel, (const char *const *) names->pdata);
  fail (walk, syntax->name_span, hint, g_strdup_printf ("there is no kernel `%s`", syntax->kernel));
}

/* Without `devices`, the number is that of the devices that commands name. */
static void find_device (Walk *walk, const DsomCommand *syntax, RspDsomCommand *command) {
  RspDsomProgram *program = walk->resolver->program;
  gboolean declared = walk->resolver->parser->devices != NULL;
  gint64 most = declared ? program->n_devices : RSP_DSOM_MOST_DEVICES;
  if (syntax->number->value < 0 || syntax->number->value >= most) {
    fail (walk, syntax->number->span, NULL,
          g_strdup_printf ("devices are numbered from 0 to %" G_GINT64_FORMAT, most - 1));
    return;
  }
  command->device = (guint) syntax->number->value;
  program->n_devices = MAX (program->n_devices, command->device + 1);
}

static gboolean find_element (Walk *walk, const DsomPlace *place, gint64 index, RspDsomItem *item) {
  int buffer = dsom_find_buffer (walk->resolver, place->span, place->name);
  walk->failed |= buffer < 0;
  if (buffer < 0)
    return FALSE;
  item->buffer = (guint) buffer;
  item->element = (guint) index;
  const RspDsomBuffer *b = &walk->resolver->program->buffers[buffer];
  if (index >= 0 && index < b->n)
    return TRUE;
  fail (walk, place->span, NULL,
        g_strdup_printf ("`%s` has no element %" G_GINT64_FORMAT ": it has %u", b->name, index,
                         b->n));
  return FALSE;
}

static void find_items (Walk *walk, const DsomCommand *syntax, RspDsomCommand *command) {
  g_autoptr (GArray) items = g_array_new (FALSE, TRUE, sizeof (RspDsomItem));
  gboolean good = TRUE;
  if (syntax->kind == DSOM_COMMAND_WRITE)
    for (const DsomNumber *n = syntax->numbers; n && good; n = n->next) {
      RspDsomItem item = { .value = n->value };
      good = find_element (walk, syntax->places, syntax->places->index + items->len, &item);
      g_array_append_val (items, item);
    }
  else
    for (const DsomPlace *place = syntax->places; place && good; place = place->next) {
      RspDsomItem item = { .reg = dsom_declare_register (walk->resolver, place->reg) };
      good = find_element (walk, place, place->index, &item);
      if (g_hash_table_contains (walk->resolver->buffers, place->reg))
        fail (walk, place->reg_span, NULL,
              g_strdup_printf ("`%s` is a buffer, and the host reads into a register", place->reg));
      g_array_append_val (items, item);
    }
  command->n_items = items->len;
  command->items = rsp_arena_copy (walk->resolver->program->arena, items->data,
                                   items->len * sizeof (RspDsomItem));
}

static char *find_label (Walk *walk, const DsomCommand *syntax, const RspDsomCommand *command) {
  RspArena *arena = walk->resolver->program->arena;
  if (syntax->kind == DSOM_COMMAND_RUN)
    return rsp_arena_printf (arena, "%s on %u", syntax->kernel, command->device);
  const DsomPlace *place = syntax->places;
  if (syntax->kind == DSOM_COMMAND_WRITE)
    return rsp_arena_printf (arena, "write %s[%" G_GINT64_FORMAT "]", place->name, place->index);
  return rsp_arena_printf (arena, "read %s", place->reg);
}

static void add_leaf (Walk *walk, const DsomCommand *syntax, Frontier *frontier) {
  static const RspDsomCommandKind kinds[] = { [DSOM_COMMAND_RUN] = RSP_DSOM_RUN,
                                              [DSOM_COMMAND_WRITE] = RSP_DSOM_HOST_WRITE,
                                              [DSOM_COMMAND_READ] = RSP_DSOM_HOST_READ };
  RspDsomCommand command
      = { .kind = kinds[syntax->kind], .blocking = syntax->blocking, .span = syntax->span };
  if (walk->commands->len == RSP_DSOM_MOST_COMMANDS) {
    fail (walk, syntax->span, NULL,
          g_strdup_printf ("more than %d commands, counting repetitions", RSP_DSOM_MOST_COMMANDS));
    return;
  }
  if (syntax->kind == DSOM_COMMAND_RUN) {
    find_kernel (walk, syntax, &command);
    find_device (walk, syntax, &command);
  } else
    find_items (walk, syntax, &command);
  command.label = find_label (walk, syntax, &command);
  command.n_after = frontier->len;
  command.after = rsp_arena_copy (walk->resolver->program->arena, frontier->data,
                                  frontier->len * sizeof (guint));
  guint number = walk->commands->len;
  g_array_append_val (walk->commands, command);
  g_array_set_size (frontier, 0);
  g_array_append_val (frontier, number);
}

/* ---- Order ---- */

static void walk_command (Walk *walk, const DsomCommand *syntax, Frontier *frontier);

static void walk_parallel (Walk *walk, const DsomCommand *syntax, Frontier *frontier) {
  Frontier *ends = frontier_new ();
  for (const DsomCommand *branch = syntax->first; branch && !walk->failed; branch = branch->next) {
    Frontier *own = frontier_copy (frontier);
    walk_command (walk, branch, own);
    frontier_add (ends, own);
    g_array_unref (own);
  }
  g_array_set_size (frontier, 0);
  if (ends->len)
    g_array_append_vals (frontier, ends->data, ends->len);
  g_array_unref (ends);
}

static void walk_repeat (Walk *walk, const DsomCommand *syntax, Frontier *frontier) {
  if (syntax->number->value < 0)
    fail (walk, syntax->number->span, NULL, g_strdup ("this number is negative"));
  for (gint64 i = 0; i < syntax->number->value && !walk->failed; i++) {
    guint before = walk->commands->len;
    walk_command (walk, syntax->first, frontier);
    if (walk->commands->len == before)
      return;
  }
}

static void walk_command (Walk *walk, const DsomCommand *syntax, Frontier *frontier) {
  if (walk->failed)
    return;
  if (syntax->kind == DSOM_COMMAND_PARALLEL)
    walk_parallel (walk, syntax, frontier);
  else if (syntax->kind == DSOM_COMMAND_REPEAT)
    walk_repeat (walk, syntax, frontier);
  else if (syntax->kind != DSOM_COMMAND_SEQUENCE)
    add_leaf (walk, syntax, frontier);
  else
    for (const DsomCommand *command = syntax->first; command; command = command->next)
      walk_command (walk, command, frontier);
}

/* The second "K0 on 0" is called "K0 on 0 #2". */
static void number_labels (RspDsomProgram *program) {
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < program->n_commands; i++) {
    const char *label = program->commands[i].label;
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, label)) + 1;
    g_hash_table_insert (counts, (gpointer) label, GUINT_TO_POINTER (n));
    if (n > 1)
      program->commands[i].label = rsp_arena_printf (program->arena, "%s #%u", label, n);
  }
}

void dsom_resolve_host (DsomResolver *resolver, const DsomCommand *host) {
  Walk walk
      = { .resolver = resolver, .commands = g_array_new (FALSE, TRUE, sizeof (RspDsomCommand)) };
  Frontier *frontier = frontier_new ();
  walk_command (&walk, host, frontier);
  RspDsomProgram *program = resolver->program;
  program->n_commands = walk.commands->len;
  program->commands = rsp_arena_copy (program->arena, walk.commands->data,
                                      walk.commands->len * sizeof (RspDsomCommand));
  number_labels (program);
  g_array_unref (frontier);
  g_array_unref (walk.commands);
}
