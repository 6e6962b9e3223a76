/* How inputs are changed: by their structure, in two of three cases.
 *
 * Tests, models and mappings are words, numbers, operators, statements and groups in brackets. A
 * change takes one such piece and deletes it, doubles it, swaps it with another piece of its kind
 * or puts one in its place: a piece of the same input, of another (crossover), or a word of its
 * class in the dictionary (RSP_FUZZ_WORDS names the file: `Class="word"`, one per line, as
 * libFuzzer also reads it). The rest is libFuzzer's own changes of bytes. */
#include <glib.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver (const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                  uint8_t *out, size_t most, unsigned int seed);

/* ---- Pieces ---- */

typedef enum Kind {
  WORD,
  NUMBER,
  OPERATOR,
  STATEMENT,
  ROUND, /* with their brackets */
  SQUARE,
  CURLY,
  N_KINDS
} Kind;

typedef struct Piece {
  gsize begin, end;
  Kind kind;
} Piece;

typedef struct Text {
  const char *bytes;
  gsize size;
  GArray *pieces[N_KINDS]; /* of Piece */
} Text;

static void add (Text *text, Kind kind, gsize begin, gsize end) {
  Piece piece = { begin, end, kind };
  if (end > begin)
    g_array_append_val (text->pieces[kind], piece);
}

static gboolean is_word (char c) { return g_ascii_isalnum (c) || c == '_' || c == '-' || c == '.'; }

static gboolean is_operator (char c) { return g_ascii_ispunct (c) && !strchr ("()[]{};,\"", c); }

/* The end of the run of such characters that begins at `at`. */
static gsize add_run (Text *text, gsize at, gboolean (*has) (char c), Kind kind) {
  gsize end = at;
  while (end < text->size && has (text->bytes[end]))
    end++;
  add (text, kind, at, end);
  return end;
}

/* Closes the groups up to the one that the bracket ends; one that ends none is passed over. */
static void close_group (Text *text, GArray *open, gsize at) {
  static const char opening[] = "([{", closing[] = ")]}";
  char bracket = opening[strchr (closing, text->bytes[at]) - closing];
  for (guint i = open->len; i > 0; i--) {
    gsize begin = g_array_index (open, gsize, i - 1);
    if (text->bytes[begin] != bracket)
      continue;
    add (text, (Kind) (ROUND + (strchr (opening, bracket) - opening)), begin, at + 1);
    g_array_set_size (open, i - 1);
    return;
  }
}

static void split (Text *text, const uint8_t *data, gsize size) {
  text->bytes = (const char *) data;
  text->size = size;
  for (guint i = 0; i < N_KINDS; i++)
    text->pieces[i] = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize statement = 0;
  for (gsize at = 0; at < size;) {
    char c = text->bytes[at];
    if (is_word (c)) {
      at = add_run (text, at, is_word, g_ascii_isdigit (c) ? NUMBER : WORD);
      continue;
    }
    if (is_operator (c)) {
      at = add_run (text, at, is_operator, OPERATOR);
      continue;
    }
    if (memchr ("([{", c, 3))
      g_array_append_val (open, at);
    else if (memchr (")]}", c, 3))
      close_group (text, open, at);
    at++;
    if (!memchr (";{}\n", c, 4))
      continue;
    add (text, STATEMENT, statement, at);
    statement = at;
  }
}

static void clear (Text *text) {
  for (guint i = 0; i < N_KINDS; i++)
    g_array_unref (text->pieces[i]);
}

static const Piece *choose (const Text *text, Kind kind, GRand *random) {
  const GArray *pieces = text->pieces[kind];
  if (pieces->len == 0)
    return NULL;
  return &g_array_index (pieces, Piece, g_rand_int_range (random, 0, (gint32) pieces->len));
}

/* ---- Words of the language ---- */

/* Class -> GPtrArray of words, and word -> class. */
static GHashTable *by_class, *class_of;

static void read_words (void) {
  if (by_class)
    return;
  by_class = g_hash_table_new (g_str_hash, g_str_equal);
  class_of = g_hash_table_new (g_str_hash, g_str_equal);
  const char *path = g_getenv ("RSP_FUZZ_WORDS");
  g_autofree char *text = NULL;
  if (!path || !g_file_get_contents (path, &text, NULL, NULL))
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    g_auto (GStrv) parts = g_strsplit (lines[i], "\"", 3);
    if (g_strv_length (parts) != 3)
      continue;
    GPtrArray *words = g_hash_table_lookup (by_class, parts[0]);
    if (!words)
      g_hash_table_insert (by_class, g_strdup (parts[0]), words = g_ptr_array_new ());
    char *word = g_strdup (parts[1]);
    g_ptr_array_add (words, word);
    g_hash_table_insert (class_of, word, words);
  }
}

/* Another word of the class, or NULL. */
static const char *relative (const Text *text, const Piece *piece, GRand *random) {
  g_autofree char *word = g_strndup (text->bytes + piece->begin, piece->end - piece->begin);
  read_words ();
  const GPtrArray *words = g_hash_table_lookup (class_of, word);
  return words ? words->pdata[g_rand_int_range (random, 0, (gint32) words->len)] : NULL;
}

/* ---- Changes ---- */

static const char *const numbers[] = { "0",
                                       "1",
                                       "2",
                                       "3",
                                       "7",
                                       "-1",
                                       "127",
                                       "128",
                                       "255",
                                       "256",
                                       "65536",
                                       "2147483647",
                                       "2147483648",
                                       "4294967295",
                                       "9223372036854775807",
                                       "18446744073709551616",
                                       "0x7fffffff",
                                       "1u",
                                       "1.5" };

static void append (GString *out, const Text *text, gsize begin, gsize end) {
  g_string_append_len (out, text->bytes + begin, (gssize) (end - begin));
}

static void put (GString *out, const Text *text, const Piece *place, const char *with,
                 gsize length) {
  append (out, text, 0, place->begin);
  g_string_append_len (out, with, (gssize) length);
  append (out, text, place->end, text->size);
}

static void swap (GString *out, const Text *text, const Piece *a, const Piece *b) {
  const Piece *first = a->begin < b->begin ? a : b, *second = first == a ? b : a;
  if (first->end > second->begin) {
    put (out, text, first, text->bytes + second->begin, second->end - second->begin);
    return;
  }
  append (out, text, 0, first->begin);
  append (out, text, second->begin, second->end);
  append (out, text, first->end, second->begin);
  append (out, text, first->begin, first->end);
  append (out, text, second->end, text->size);
}

/* What stands in the place of a word or number. */
static const char *substitute (const Text *text, const Piece *piece, GRand *random) {
  if (piece->kind == NUMBER)
    return numbers[g_rand_int_range (random, 0, G_N_ELEMENTS (numbers))];
  return piece->kind <= OPERATOR ? relative (text, piece, random) : NULL;
}

/* Changes one piece of `to`, with one of `from` where another is needed. */
static void change (GString *out, const Text *to, const Text *from, GRand *random) {
  Kind kind = (Kind) g_rand_int_range (random, 0, N_KINDS);
  const Piece *piece = choose (to, kind, random), *other = choose (from, kind, random);
  if (!piece || !other)
    return;
  const char *with = g_rand_int_range (random, 0, 2) ? substitute (to, piece, random) : NULL;
  Piece after = { piece->end, piece->end, kind };
  if (with)
    put (out, to, piece, with, strlen (with));
  else if (to == from && g_rand_int_range (random, 0, 4) == 0)
    put (out, to, piece, "", 0);
  else if (to == from && g_rand_int_range (random, 0, 3) == 0)
    swap (out, to, piece, other);
  else
    put (out, to, g_rand_int_range (random, 0, 2) ? piece : &after, from->bytes + other->begin,
         other->end - other->begin);
}

/* The changed text's length; 0 when nothing was changed, or it would be too long. */
static size_t mutate (const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                      uint8_t *out, size_t most, GRand *random) {
  Text to, other;
  split (&to, a, a_size);
  if (b)
    split (&other, b, b_size);
  g_autoptr (GString) changed = g_string_new (NULL);
  change (changed, &to, b ? &other : &to, random);
  clear (&to);
  if (b)
    clear (&other);
  if (changed->len > most)
    return 0;
  memcpy (out, changed->str, changed->len);
  return changed->len;
}

size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t most, unsigned int seed) {
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  size_t changed = 0;
  if (g_rand_int_range (random, 0, 3))
    changed = mutate (data, size, NULL, 0, data, most, random);
  return changed ? changed : LLVMFuzzerMutate (data, size, most);
}

size_t LLVMFuzzerCustomCrossOver (const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                  uint8_t *out, size_t most, unsigned int seed) {
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  return mutate (a, a_size, b, b_size, out, most, random);
}
