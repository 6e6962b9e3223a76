/* Pictures by Graphviz. The only file that calls it. */
#include "cli/internal.h"
#include "cli/lazy.h"

#include <gvc.h>
#include <string.h>

/* The parts of Graphviz that are used; it is loaded when something is drawn. Types are those of the
 * header, since they differ between versions. */
#define SYMBOLS(USE)                                                                               \
  USE (gvContext)                                                                                  \
  USE (gvFreeContext)                                                                              \
  USE (gvLayout)                                                                                   \
  USE (gvFreeLayout)                                                                               \
  USE (gvRenderData)                                                                               \
  USE (gvFreeRenderData)                                                                           \
  USE (agread)                                                                                     \
  USE (agclose)                                                                                    \
  USE (AgIdDisc)                                                                                   \
  USE (AgIoDisc)                                                                                   \
  USE (AgDefaultDisc)

struct CliRenderer {
#define POINTER(name) __typeof__ (name) *name;
  SYMBOLS (POINTER)
#undef POINTER
  GVC_t *context;      /* NULL until Graphviz is loaded */
  Agdisc_t discipline; /* how graphs are read: ids and io */
  Agiddisc_t ids;
  Agiodisc_t io;
};

/* ---- Reading DOT ----
 *
 * Graphviz by itself numbers names by their addresses, and draws boxes in the order of these
 * numbers: each run of the program would give another picture. Here names are numbered as they
 * appear. */
typedef struct Names {
  GHashTable *ids;  /* name → its id */
  GPtrArray *texts; /* id / 2 - 1 → name */
  IDTYPE unnamed;   /* the last odd id */
} Names;

static void *open_names (Agraph_t *graph, Agdisc_t *discipline) {
  (void) graph;
  (void) discipline;
  Names *names = g_new0 (Names, 1);
  names->ids = g_hash_table_new (g_str_hash, g_str_equal);
  names->texts = g_ptr_array_new_with_free_func (g_free);
  return names;
}

/* The type differs in later versions. */
static __typeof__ (AgIdDisc.map (NULL, 0, NULL, NULL, 0)) map_name (void *state, int kind,
                                                                    char *text, IDTYPE *id,
                                                                    int create) {
  Names *names = state;
  (void) kind;
  if (!text) {
    *id = names->unnamed += 2;
    return TRUE;
  }
  *id = GPOINTER_TO_SIZE (g_hash_table_lookup (names->ids, text));
  if (*id || !create)
    return *id != 0;
  char *own = g_strdup (text);
  g_ptr_array_add (names->texts, own);
  *id = (gsize) 2 * names->texts->len;
  g_hash_table_insert (names->ids, own, GSIZE_TO_POINTER (*id));
  return TRUE;
}

static void keep_name (void *state, int kind, IDTYPE id) {
  (void) state;
  (void) kind;
  (void) id;
}

static char *print_name (void *state, int kind, IDTYPE id) {
  const Names *names = state;
  (void) kind;
  return id && id % 2 == 0 && id / 2 <= names->texts->len ? names->texts->pdata[id / 2 - 1] : NULL;
}

static void close_names (void *state) {
  Names *names = state;
  g_hash_table_unref (names->ids);
  g_ptr_array_unref (names->texts);
  g_free (names);
}

typedef struct Text {
  const char *at;
} Text;

static int read_text (void *channel, char *buffer, int size) {
  Text *text = channel;
  size_t n = MIN (strlen (text->at), (size_t) size);
  memcpy (buffer, text->at, n);
  text->at += n;
  return (int) n;
}

/* ---- Pictures ---- */
CliRenderer *cli_renderer_new (void) { return g_new0 (CliRenderer, 1); }

void cli_renderer_free (CliRenderer *renderer) {
  if (renderer && renderer->context)
    renderer->gvFreeContext (renderer->context);
  g_free (renderer);
}

/* Loads Graphviz. FALSE, with an error, if that fails. */
static gboolean load (CliRenderer *renderer, GError **error) {
#define LOAD(name)                                                                                 \
  if (!(renderer->name = cli_lazy_find (CLI_LIBRARY_GRAPHVIZ, #name, error)))                      \
    return FALSE;
  SYMBOLS (LOAD)
#undef LOAD
  renderer->ids = *renderer->AgIdDisc;
  renderer->ids.open = open_names;
  renderer->ids.map = map_name;
  renderer->ids.free = keep_name;
  renderer->ids.print = print_name;
  renderer->ids.close = close_names;
  renderer->io = *renderer->AgIoDisc;
  renderer->io.afread = read_text;
  renderer->discipline = *renderer->AgDefaultDisc;
  renderer->discipline.id = &renderer->ids;
  renderer->discipline.io = &renderer->io;
  renderer->context = renderer->gvContext ();
  return TRUE;
}

GBytes *cli_render (CliRenderer *renderer, const char *dot, const char *format, GError **error) {
  if (!renderer->context && !load (renderer, error))
    return NULL;
  Text text = { dot };
  Agraph_t *graph = renderer->agread (&text, &renderer->discipline);
  GBytes *picture = NULL;
  if (graph && renderer->gvLayout (renderer->context, graph, "dot") == 0) {
    char *data = NULL;
    unsigned int length = 0;
    if (renderer->gvRenderData (renderer->context, graph, format, &data, &length) == 0)
      picture = g_bytes_new (data, length);
    renderer->gvFreeRenderData (data);
    renderer->gvFreeLayout (renderer->context, graph);
  }
  if (graph)
    renderer->agclose (graph);
  if (!picture)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "Graphviz cannot draw %s", format);
  return picture;
}
