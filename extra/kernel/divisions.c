/* -placements of a kernel: every division of its work-items. */
#include "extra/kernel/internal.h"

#include <string.h>

/* The same number of work-items, divided into groups, sub-groups, devices and the nodes of a level
 * between them in another way. */
typedef struct Division {
  guint groups, sub_groups, items, devices, clusters; /* clusters: of each device; 0: none */
  int status;
  char *found; /* as format_answer's summary; "": nothing; NULL: there is no answer */
} Division;

static void free_division (gpointer data) { g_free (((Division *) data)->found); }

/* All divisions, the fewest groups, sub-groups and devices first. clusters: are there any? */
static GArray *list_divisions (guint n, gboolean clusters) {
  GArray *all = g_array_new (FALSE, TRUE, sizeof (Division));
  g_array_set_clear_func (all, free_division);
  for (guint groups = 1; groups <= n; groups++)
    for (guint devices = 1; n % groups == 0 && devices <= groups; devices++)
      for (guint sub_groups = 1; groups % devices == 0 && sub_groups <= n / groups; sub_groups++)
        for (guint c = clusters ? 1 : 0; c <= (clusters ? groups / devices : 0); c++)
          if (n / groups % sub_groups == 0 && (!c || groups / devices % c == 0)) {
            Division division
                = { groups, sub_groups, n / groups / sub_groups, devices, c, 0, NULL };
            g_array_append_val (all, division);
          }
  return all;
}

/* Statement i about a division, from the weakest on, and whether it holds; NULL after the last one.
 */
static const char *shares (const Division *d, guint i, gboolean *holds) {
  static const char *const texts[] = { "all work-items share a device",
                                       "all work-items share a %s",
                                       "all work-items share a work-group",
                                       "all work-items share a sub-group",
                                       "no two work-items share a sub-group",
                                       "no two work-items share a work-group",
                                       NULL };
  const gboolean truths[] = { d->devices == 1,
                              d->devices == 1 && d->clusters == 1,
                              d->groups == 1,
                              d->groups == 1 && d->sub_groups == 1,
                              d->items == 1,
                              d->sub_groups * d->items == 1,
                              FALSE };
  *holds = truths[i];
  return texts[i];
}

/* "race-free wherever all work-items share a work-group; racy otherwise"; if no such sentence
 * holds, the number of divisions. level: the word for clusters. Newly allocated. */
static char *describe_divisions (const GArray *all, const char *level) {
  guint good = 0, known = 0;
  gboolean races = TRUE, holds;
  for (guint i = 0; i < all->len; i++) {
    const Division *d = &g_array_index (all, Division, i);
    known += d->found != NULL;
    good += d->found && !*d->found;
    const char *kinds = d->found ? d->found : "";
    g_autofree char *first = g_strndup (kinds, strcspn (kinds, " "));
    races &= !*first || rsp_flag_is_race (first);
  }
  const char *yes = races ? "race-free" : "no findings", *no = races ? "racy" : "findings";
  if (!known)
    return g_strdup ("there is no answer");
  if (good == known || !good)
    return g_strdup_printf ("%s in every division", good ? "no findings" : no);
  for (guint k = 0; shares (&g_array_index (all, Division, 0), k, &holds); k++) {
    guint agree = 0;
    for (guint i = 0; i < all->len; i++) {
      const Division *d = &g_array_index (all, Division, i);
      const char *text = shares (d, k, &holds);
      agree += text && d->found && (*d->found == 0) == holds;
    }
    const char *text = shares (&g_array_index (all, Division, 0), k, &holds);
    if (agree != known && agree != 0)
      continue;
    GString *sentence = g_string_new (NULL);
    g_string_append_printf (sentence, "%s wherever %s; %s otherwise", agree ? yes : no, text,
                            agree ? no : yes);
    g_string_replace (sentence, "%s", level, 0);
    return g_string_free (sentence, FALSE);
  }
  return g_strdup_printf ("%s in %u of %u divisions; %s in the others", yes, good, known, no);
}

static gboolean print_divisions (const KernelRun *run, const GArray *all, const char *level) {
  const char *path = run->path;
  g_autofree char *sentence = describe_divisions (all, level);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  RspJson *groups = rsp_json_list ();
  g_string_append_printf (out, "Kernel %s, %s, %u divisions: %s\n", path, run->column->label,
                          all->len, sentence);
  for (guint i = 0; i < all->len; i++) {
    const char *found = g_array_index (all, Division, i).found;
    if (!g_hash_table_add (listed, (gpointer) (found ? found : "no answer")))
      continue;
    RspJson *names = rsp_json_list ();
    const char *heading = found && *found ? found : "no findings";
    g_string_append_printf (out, "  %s\n", found ? heading : "no answer");
    for (guint k = i; k < all->len; k++) {
      const Division *d = &g_array_index (all, Division, k);
      g_autoptr (GString) name = g_string_new (NULL);
      if (g_strcmp0 (d->found, found) != 0)
        continue;
      g_string_append_printf (name, "%ux%ux%u", d->groups, d->sub_groups, d->items);
      if (d->clusters)
        g_string_append_printf (name, " in %u %s%s", d->clusters * d->devices, level,
                                d->clusters * d->devices > 1 ? "s" : "");
      if (d->devices > 1)
        g_string_append_printf (name, " on %u devices", d->devices);
      g_string_append_printf (out, "    %s\n", name->str);
      rsp_json_add (names, rsp_json_text (name->str));
    }
    rsp_json_add (groups,
                  rsp_json_object ("findings", rsp_json_text (found), "grids", names, NULL));
  }
  g_autoptr (RspJson) object
      = rsp_json_object ("question", rsp_json_text ("placements"), "path", rsp_json_text (path),
                         "model", rsp_json_text (run->column->label), "sentence",
                         rsp_json_text (sentence), "groups", groups, NULL);
  if (run->options->json) {
    g_string_truncate (out, 0);
    rsp_json_append_line (object, out);
  }
  return cli_write (out);
}

int kernel_check_divisions (KernelRun *run, const RspModel *model) {
  const RspGrid given = run->kernel.grid;
  const RspModelWord *clusters = rsp_model_word_of_level (model, RSP_LEVEL_IN_KERNEL);
  const char *level = clusters ? clusters->name : NULL;
  g_autoptr (GArray) all
      = list_divisions (given.groups * given.sub_groups * given.items, level != NULL);
  int status = CLI_STATUS_OK;
  for (guint i = 0; i < all->len; i++) {
    Division *d = &g_array_index (all, Division, i);
    RspGrid *grid = &run->kernel.grid;
    g_autofree char *text = g_strdup_printf ("%ux%ux%u", d->groups, d->sub_groups, d->items);
    rsp_grid_parse (text, grid);
    memcpy (grid->offsets, given.offsets, sizeof given.offsets);
    grid->devices = d->devices;
    grid->clusters = d->clusters;
    run->summary = g_string_new (NULL);
    d->status = kernel_check (run, model);
    gboolean known = d->status == CLI_STATUS_OK || d->status == CLI_STATUS_DIFFERENT;
    d->found = g_string_free (g_steal_pointer (&run->summary), !known);
    kernel_clear_findings (&run->answer->findings);
    status = known && status != CLI_STATUS_UNFINISHED ? MAX (status, d->status)
                                                      : CLI_STATUS_UNFINISHED;
  }
  run->kernel.grid = given;
  return print_divisions (run, all, level ? level : "") ? status : CLI_STATUS_UNFINISHED;
}
