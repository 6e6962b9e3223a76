/* The hash that herd prints for a test: MD5 of MD5(initial state) ‖ MD5(code) ‖ MD5(observed), the
 * raw digests joined. */
#include "parser/hash.h"
#include "base/count.h"

#include <string.h>

enum { MD5_SIZE = 16 };

/* Feeds the raw digest of a part to the whole. */
static void add_part (GChecksum *whole, const GString *part) {
  guint8 digest[MD5_SIZE];
  gsize size = sizeof digest;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_MD5);
  g_checksum_update (checksum, (const guchar *) part->str, (gssize) part->len);
  g_checksum_get_digest (checksum, digest, &size);
  g_checksum_update (whole, digest, (gssize) size);
}

/* Registers by thread and name, then locations by name. */
static gint compare_initial (gconstpointer a, gconstpointer b) {
  const RspInitialText *x = *(const RspInitialText *const *) a;
  const RspInitialText *y = *(const RspInitialText *const *) b;
  gboolean x_register = g_ascii_isdigit (x->name[0]), y_register = g_ascii_isdigit (y->name[0]);
  if (x_register != y_register)
    return x_register ? -1 : 1;
  guint64 x_thread = x_register ? g_ascii_strtoull (x->name, NULL, 10) : 0;
  guint64 y_thread = y_register ? g_ascii_strtoull (y->name, NULL, 10) : 0;
  if (x_thread != y_thread)
    return x_thread < y_thread ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Appends an item of a list; no item is empty. */
static void append_listed (GString *list, const char *item) {
  if (list->len)
    g_string_append (list, "; ");
  g_string_append (list, item);
}

/* "x=0; y=0" */
static GString *initial_part (const RspProgram *program) {
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();
  for (guint i = 0; i < program->n_initial; i++)
    g_ptr_array_add (pairs, &program->initial[i]);
  g_ptr_array_sort (pairs, compare_initial);
  GString *part = g_string_new (NULL);
  for (guint i = 0; i < pairs->len; i++) {
    append_listed (part, ((const RspInitialText *) pairs->pdata[i])->text);
  }
  return part;
}

/* "static void P0(__global _Atomic int* x, int* y) {…}\n" in OpenCL tests, as the OpenCL mode of
 * 2015 has it; "P0(_Atomic int* x, int* y) {\n…\n}\n" in C tests, as herd7 has it. */
static void append_thread (RspLanguageId language, const RspThread *thread, GString *part) {
  gboolean is_c = language == RSP_LANGUAGE_C;
  if (!is_c)
    g_string_append (part, "static void ");
  g_string_append (part, thread->name);
  g_string_append_c (part, '(');
  for (guint i = 0; i < thread->n_parameters; i++) {
    g_string_append (part, i ? ", " : "");
    g_string_append (part, thread->parameters[i].normalised);
    g_string_append_c (part, ' ');
    g_string_append (part, thread->parameters[i].name);
  }
  g_string_append (part, is_c ? ") {\n" : ") {");
  g_string_append (part, thread->raw);
  g_string_append (part, is_c ? "\n}\n" : "}\n");
}

static GString *code_part (const RspProgram *program) {
  GString *part = g_string_sized_new (program->source->length + 1);
  for (guint i = 0; i < program->n_threads; i++) {
    g_string_append (part, i ? "| " : " ");
    append_thread (program->language->id, &program->threads[i], part);
    g_string_append_c (part, ' ');
  }
  g_string_append (part, ";\n");
  return part;
}

/* By name, and then by index as a number. */
static gint compare_elements (gconstpointer a, gconstpointer b) {
  const char *x = *(const char *const *) a, *y = *(const char *const *) b;
  gsize length = strcspn (x, "[");
  gint order = length == strcspn (y, "[") ? strncmp (x, y, length) : strcmp (x, y);
  guint64 i = g_ascii_strtoull (x + length + 1, NULL, 10);
  guint64 k = order == 0 ? g_ascii_strtoull (y + length + 1, NULL, 10) : 0;
  return order ? order : (i > k) - (i < k);
}

/* "2:r0; 2:r1; v; x; a[1]": what the condition and `locations` name; in C tests, elements of arrays
 * come last. */
static GString *observed_part (const RspProgram *program) {
  GString *part = g_string_new (NULL);
  gboolean is_c = program->language->id == RSP_LANGUAGE_C;
  g_autoptr (GPtrArray) elements = g_ptr_array_new ();
  const char *array = NULL; /* whose elements these are */
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *observable = &program->observables[i];
    if (is_c && !observable->array && strchr (observable->name, '[') && !program->filter_only[i])
      g_ptr_array_add (elements, (gpointer) observable->name);
    else if (!program->filter_only[i] && !(array && observable->array == array))
      append_listed (part, observable->array ? observable->array : observable->name);
    array = observable->array;
  }
  g_ptr_array_sort (elements, compare_elements);
  for (guint i = 0; i < elements->len; i++)
    append_listed (part, elements->pdata[i]);
  return part;
}

char *rsp_program_hash (const RspProgram *program) {
  if (program->hash)
    return g_strdup (program->hash);
  g_autoptr (GChecksum) whole = g_checksum_new (G_CHECKSUM_MD5);
  g_autoptr (GString) initial = initial_part (program);
  g_autoptr (GString) code = code_part (program);
  g_autoptr (GString) observed = observed_part (program);
  add_part (whole, initial);
  add_part (whole, code);
  add_part (whole, observed);
  return g_strdup (g_checksum_get_string (whole));
}

char *rsp_program_scope_hash (const RspProgram *program) {
  g_autoptr (GString) tree = g_string_new (NULL);
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    g_string_append (tree, thread->name);
    for (guint level = 0; level < RSP_N_LEVELS; level++) {
      g_string_append_c (tree, ' ');
      rsp_count_format (thread->place[level], tree);
    }
    g_string_append_c (tree, '\n');
  }
  return g_compute_checksum_for_string (G_CHECKSUM_MD5, tree->str, (gssize) tree->len);
}
