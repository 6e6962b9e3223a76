/* From a file to a module: assembled and validated by SPIRV-Tools. */
#include "extra/spirv/module.h"

/* A constant that the header defines for everybody. */
#define kDefaultMaxIdBound rspcheck_spirv_max_id_bound
#include <errno.h>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum {
  MAX_BYTES = 16 << 20, /* of a file */
  MAX_BOUND = 0x3fffff, /* of ids: SPIR-V's universal limit */
  LONGEST = 4000,       /* bytes of the validator's message, which fit into a pipe */
  MAX_PARTS = 65536,    /* of a type or constant, with the parts of its parts */
  MAX_LEVELS = 100,     /* of parts: functions for types are recursive */
  SPARE = 12            /* words after an instruction, so that missing operands are id 0 */
};

/* ---- Positions ------------------------------------------------------------------------------ */

/* The assembler keeps the order of instructions, but not their positions: each is a word `Op…`,
 * behind `%id =` if it has a result. */

typedef struct Scan {
  RspSource *source;
  guint at;
} Scan;

/* The next word, a string with its quotes; FALSE at the end. */
static gboolean next_word (Scan *scan, RspSpan *word) {
  const char *text = scan->source->text;
  for (;;) {
    scan->at += (guint) strspn (text + scan->at, " \t\r\n");
    if (text[scan->at] != ';')
      break;
    scan->at += (guint) strcspn (text + scan->at, "\n");
  }
  const guint begin = scan->at;
  if (!text[begin])
    return FALSE;
  for (gboolean quoted = FALSE; text[scan->at]; scan->at++) {
    const char c = text[scan->at];
    if (quoted && c == '\\' && text[scan->at + 1])
      scan->at++;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && strchr (" \t\r\n;", c))
      break;
  }
  *word = (RspSpan){ scan->source, begin, scan->at };
  return TRUE;
}

static gboolean is_opcode (const RspSource *source, RspSpan word) {
  const char *text = source->text + word.begin;
  return word.end - word.begin > 2 && text[0] == 'O' && text[1] == 'p' && g_ascii_isupper (text[2]);
}

/* Gives the instructions their places, and ids the names that they have in the text. */
static void find_positions (SpirvModule *module) {
  Scan scan = { .source = module->source };
  RspSpan word, before[2] = { { 0 }, { 0 } };
  for (guint i = 0; i < module->n && next_word (&scan, &word);) {
    if (is_opcode (module->source, word)) {
      SpirvInst *own = &module->instructions[i++];
      own->span = word;
      const char *name = module->source->text + before[0].begin;
      if (own->result && before[1].source && *name == '%'
          && module->source->text[before[1].begin] == '=')
        module->written[own->result] = rsp_arena_printf (
            module->arena, "%.*s", (int) (before[0].end - before[0].begin), name);
    }
    before[0] = before[1];
    before[1] = word;
  }
}

/* ---- Words ---------------------------------------------------------------------------------- */

typedef struct Parse {
  SpirvModule *module;
  GArray *instructions;
  guint8 *defined;      /* per id */
  gboolean in_function; /* has a function begun? */
  guint32 undefined;    /* an id that is used too early; 0: none */
  guint user;           /* the number of the instruction that uses it */
  guint forward;        /* that of the last OpTypeForwardPointer, + 1; 0: there is none */
  guint32 outside;      /* an id beyond the bound, or a bound that is too large; 0: none */
} Parse;

static spv_result_t take_header (void *data, spv_endianness_t endian, uint32_t magic,
                                 uint32_t version, uint32_t generator, uint32_t bound,
                                 uint32_t schema) {
  (void) endian, (void) magic, (void) version, (void) generator, (void) schema;
  Parse *parse = data;
  parse->module->bound = bound;
  parse->outside = bound > MAX_BOUND ? bound : 0;
  if (parse->outside)
    return SPV_ERROR_INVALID_BINARY;
  parse->defined = rsp_arena_new0 (parse->module->arena, guint8, bound);
  parse->module->used = rsp_arena_new0 (parse->module->arena, guint8, bound);
  return SPV_SUCCESS;
}

/* Does the operand name something that is defined elsewhere? */
static gboolean names (const spv_parsed_operand_t *operand) {
  return operand->type == SPV_OPERAND_TYPE_ID || operand->type == SPV_OPERAND_TYPE_TYPE_ID
         || operand->type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID
         || operand->type == SPV_OPERAND_TYPE_SCOPE_ID;
}

static spv_result_t take_instruction (void *data, const spv_parsed_instruction_t *parsed) {
  Parse *parse = data;
  guint32 *words = rsp_arena_new0 (parse->module->arena, guint32, parsed->num_words + SPARE);
  memcpy (words, parsed->words, parsed->num_words * sizeof *words);
  parse->in_function |= parsed->opcode == SpvOpFunction;
  if (parsed->opcode == SpvOpTypeForwardPointer)
    parse->forward = parse->instructions->len + 1;
  const gboolean copies = parsed->opcode == SpvOpCopyMemorySized
                          || parsed->opcode == SpvOpLifetimeStart
                          || parsed->opcode == SpvOpLifetimeStop,
                 in_order = parsed->result_id && !parse->in_function
                            && parsed->opcode != SpvOpTypePointer && parsed->opcode != SpvOpExtInst;
  for (guint i = 0; i < parsed->num_operands; i++) {
    const spv_parsed_operand_t *operand = &parsed->operands[i];
    const guint32 id = words[operand->offset];
    if (!names (operand) && operand->type != SPV_OPERAND_TYPE_RESULT_ID)
      continue;
    if (id >= parse->module->bound) {
      parse->outside = id;
      return SPV_ERROR_INVALID_BINARY;
    }
    if (names (operand) && in_order && !parse->defined[id] && !parse->undefined) {
      parse->undefined = id;
      parse->user = parse->instructions->len;
    }
    if (names (operand) && parse->in_function && !copies)
      parse->module->used[id] = TRUE;
  }
  if (parsed->result_id)
    parse->defined[parsed->result_id] = TRUE;
  const SpirvInst own = { .opcode = parsed->opcode,
                          .n = parsed->num_words,
                          .words = words,
                          .type = parsed->type_id,
                          .result = parsed->result_id };
  g_array_append_val (parse->instructions, own);
  return SPV_SUCCESS;
}

const SpirvInst *spirv_definition (const SpirvModule *module, guint32 id) {
  static const guint32 zeros[SPARE];
  static const SpirvInst none = { .opcode = SpvOpNop, .words = zeros };
  const guint number = id < module->bound ? module->definitions[id] : 0;
  return number ? &module->instructions[number - 1] : &none;
}

char *spirv_opcode_name (guint16 opcode) {
  return g_strconcat ("Op", spvOpcodeString (opcode), NULL);
}

const char *spirv_string (const SpirvInst *instruction, guint word) {
  return word < instruction->n ? (const char *) &instruction->words[word] : "";
}

/* ---- Tables --------------------------------------------------------------------------------- */

static void add_decoration (SpirvModule *module, guint32 id, const SpirvInst *at) {
  LitmusParser parser = { .arena = module->arena };
  if (id < module->bound)
    module->decorations[id] = rsp_litmus_append (&parser, module->decorations[id], (gpointer) at);
}

LitmusList spirv_decorations (const SpirvModule *module, guint32 id) {
  return id < module->bound ? module->decorations[id] : (LitmusList){ 0 };
}

static void fill_tables (SpirvModule *module) {
  LitmusParser parser = { .arena = module->arena };
  module->definitions = rsp_arena_new0 (module->arena, guint, module->bound);
  module->written = rsp_arena_new0 (module->arena, const char *, module->bound);
  module->names = rsp_arena_new0 (module->arena, const char *, module->bound);
  module->decorations = rsp_arena_new0 (module->arena, LitmusList, module->bound);
  find_positions (module);
  while (module->n_outside < module->n
         && module->instructions[module->n_outside].opcode != SpvOpFunction)
    module->n_outside++;
  for (guint i = 0; i < module->n; i++) {
    SpirvInst *own = &module->instructions[i];
    if (own->result)
      module->definitions[own->result] = i + 1;
    if (own->opcode == SpvOpDecorate || own->opcode == SpvOpMemberDecorate
        || own->opcode == SpvOpMemberName)
      add_decoration (module, own->words[1], own);
    const LitmusList group = own->opcode == SpvOpGroupDecorate
                                 ? spirv_decorations (module, own->words[1])
                                 : (LitmusList){ 0 };
    for (guint k = 2; group.n && k < own->n; k++)
      for (guint m = 0; m < group.n; m++)
        add_decoration (module, own->words[k], group.items[m]);
    if (own->opcode == SpvOpName && own->words[1] < module->bound && *spirv_string (own, 2))
      module->names[own->words[1]] = spirv_string (own, 2);
    if (own->opcode == SpvOpExtInst
        && g_str_has_prefix (spirv_string (spirv_definition (module, own->words[3]), 2),
                             "NonSemantic.ClspvReflection"))
      module->reflection = rsp_litmus_append (&parser, module->reflection, own);
  }
  for (guint id = 0; id < module->bound; id++) {
    if (!module->written[id])
      module->written[id] = rsp_arena_printf (module->arena, "%%%u", id);
    if (!module->names[id])
      module->names[id] = module->written[id];
  }
}

const SpirvInst *spirv_decoration (const SpirvModule *module, guint32 id, int member,
                                   SpvDecoration decoration) {
  const LitmusList own = spirv_decorations (module, id);
  const guint first = member < 0 ? 2 : 3;
  for (guint i = 0; i < own.n; i++) {
    const SpirvInst *at = own.items[i];
    if (at->opcode == (member < 0 ? SpvOpDecorate : SpvOpMemberDecorate)
        && at->words[first] == decoration && (member < 0 || at->words[2] == (guint) member))
      return at;
  }
  return NULL;
}

gboolean spirv_literal (const SpirvModule *module, guint32 id, gint64 *value) {
  const SpirvInst *own = spirv_definition (module, id);
  *value = 0;
  switch ((SpvOp) own->opcode) {
  case SpvOpConstant:
  case SpvOpSpecConstant:
    for (guint i = 3; i < own->n && i < 5; i++)
      *value |= (gint64) ((guint64) own->words[i] << (32 * (i - 3)));
    return TRUE;
  case SpvOpConstantTrue:
  case SpvOpSpecConstantTrue:
    *value = 1;
    return TRUE;
  case SpvOpConstantFalse:
  case SpvOpSpecConstantFalse:
  case SpvOpConstantNull:
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean spirv_is_compute (const SpirvInst *entry) {
  return entry->words[1] == SpvExecutionModelGLCompute
         || entry->words[1] == SpvExecutionModelKernel;
}

const SpirvInst *spirv_entry (const SpirvModule *module, guint32 function, const char *name) {
  for (all_declarations (at, module)) {
    if (at->opcode == SpvOpEntryPoint && spirv_is_compute (at)
        && (!function || at->words[2] == function)
        && (!name || strcmp (spirv_string (at, 3), name) == 0))
      return at;
  }
  return NULL;
}

gboolean spirv_ends_block (guint16 opcode) {
  return (opcode >= SpvOpBranch && opcode <= SpvOpUnreachable)
         || opcode == SpvOpTerminateInvocation;
}

/* Makes the constant a number of so many words. */
static void set_number (SpirvModule *module, SpirvInst *own, guint n, gint64 value) {
  guint32 *words = rsp_arena_new0 (module->arena, guint32, n + SPARE);
  memcpy (words, own->words, MIN (own->n, n) * sizeof *words);
  for (guint i = 3; i < n && i < 5; i++)
    words[i] = (guint32) ((guint64) value >> (32 * (i - 3)));
  own->words = words;
  own->n = (guint16) n;
}

gboolean spirv_specialise (SpirvModule *module, guint32 id, gint64 value) {
  const guint number = id < module->bound ? module->definitions[id] : 0;
  SpirvInst *own = number ? &module->instructions[number - 1] : NULL;
  if (own && own->opcode == SpvOpSpecConstant)
    set_number (module, own, own->n, value);
  else if (own && (own->opcode == SpvOpSpecConstantTrue || own->opcode == SpvOpSpecConstantFalse))
    own->opcode = value ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse;
  else
    return FALSE;
  return TRUE;
}

void spirv_make_number (SpirvModule *module, guint32 id, gint64 value) {
  SpirvInst *own = &module->instructions[module->definitions[id] - 1];
  const SpirvInst *type = spirv_definition (module, own->type);
  const gboolean is_int = type->opcode == SpvOpTypeInt;
  own->opcode = is_int ? SpvOpConstant : value ? SpvOpConstantTrue : SpvOpConstantFalse;
  set_number (module, own, !is_int ? 3 : type->words[2] > 32 ? 5 : 4, value);
}

/* ---- Lines of what was compiled ------------------------------------------------------------- */

/* Is it this instruction of NonSemantic.Shader.DebugInfo.100? */
static gboolean is_debug (const SpirvModule *module, const SpirvInst *at, guint32 number) {
  return at->opcode == SpvOpExtInst && at->words[4] == number
         && strcmp (spirv_string (spirv_definition (module, at->words[3]), 2),
                    "NonSemantic.Shader.DebugInfo.100")
                == 0;
}

/* The file that the OpString names, with the text that the module gives for it. glslang adds lines
 * of its own before it. */
static RspSource *make_file (const SpirvModule *module, guint32 id, const char *text) {
  static const char end[] = "#line 1\n";
  const char *begin = g_str_has_prefix (text, "// OpModuleProcessed") ? strstr (text, end) : NULL;
  const char *name = spirv_string (spirv_definition (module, id), 2);
  begin = begin ? begin + strlen (end) : text;
  return rsp_source_new (g_strcmp0 (name, module->compiled) == 0 ? module->source->name : name,
                         g_strdup (begin), strlen (begin));
}

/* The files with texts, by the ids of their names. */
static GHashTable *read_files (const SpirvModule *module) {
  GHashTable *files = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) rsp_source_unref);
  g_autoptr (GString) text = g_string_new (NULL);
  const SpirvInst *end = module->instructions + module->n_outside;
  for (all_declarations (at, module)) {
    const gboolean is_debug_source
        = is_debug (module, at, NonSemanticShaderDebugInfo100DebugSource);
    if (!is_debug_source && (at->opcode != SpvOpSource || at->n < 4))
      continue;
    const guint32 id = is_debug_source ? at->words[5] : at->words[3];
    g_string_assign (text, is_debug_source
                               ? spirv_string (spirv_definition (module, at->words[6]), 2)
                               : spirv_string (at, 4));
    while (at + 1 < end && at[1].opcode == SpvOpSourceContinued)
      g_string_append (text, spirv_string (++at, 1));
    if (spirv_definition (module, id)->opcode == SpvOpString)
      g_hash_table_insert (files, GUINT_TO_POINTER (id), make_file (module, id, text->str));
  }
  return files;
}

/* The column, or that of the line's first word if the compiler does not know it. */
static guint column_of (const RspSource *file, guint32 line, guint32 column) {
  const char *text = line <= file->n_lines ? file->text + file->lines[line - 1] : "";
  const guint most = (guint) strcspn (text, "\n") + 1;
  return !column ? (guint) strspn (text, " \t") + 1 : file->length ? MIN (column, most) : column;
}

/* The line that instructions come from; id: of the file's name, or 0. */
typedef struct Line {
  guint32 id;
  gint64 line, column;
} Line;

static void add_origin (const SpirvModule *module, GHashTable *files, const SpirvInst *at,
                        Line from, GArray *origins) {
  if (!at->span.source || from.line <= 0 || from.line > G_MAXINT32
      || spirv_definition (module, from.id)->opcode != SpvOpString)
    return;
  RspSource *file = g_hash_table_lookup (files, GUINT_TO_POINTER (from.id));
  if (!file) {
    file = make_file (module, from.id, "");
    g_hash_table_insert (files, GUINT_TO_POINTER (from.id), file);
  }
  const RspOrigin own = { at->span.begin, at->span.end, rsp_source_ref (file), (guint) from.line,
                          column_of (file, (guint32) from.line, (guint32) from.column) };
  g_array_append_val (origins, own);
}

/* Sets the origins of instructions in other files, by OpLine or debug information. */
static void find_origins (const SpirvModule *module) {
  g_autoptr (GHashTable) files = read_files (module);
  GArray *origins = g_array_new (FALSE, FALSE, sizeof (RspOrigin));
  Line from = { 0 };
  const SpirvInst *label = NULL; /* without a line: it gets that of what comes after it */
  for (all_instructions (at, module)) {
    if (at->opcode == SpvOpLine)
      from = (Line){ at->words[1], at->words[2], at->words[3] };
    else if (is_debug (module, at, NonSemanticShaderDebugInfo100DebugLine)) {
      from.id = spirv_definition (module, at->words[5])->words[5];
      spirv_literal (module, at->words[6], &from.line);
      spirv_literal (module, at->words[8], &from.column);
    } else if (at->opcode == SpvOpNoLine || at->opcode == SpvOpFunctionEnd
               || is_debug (module, at, NonSemanticShaderDebugInfo100DebugNoLine))
      from.id = 0;
    else if (from.id)
      add_origin (module, files, at, from, origins);
    else if (at->opcode == SpvOpLabel)
      label = at;
    if (from.id && label) {
      add_origin (module, files, label, from, origins);
      label = NULL;
    }
    if (spirv_ends_block (at->opcode)) {
      from.id = 0;
      label = NULL;
    }
  }
  rsp_source_set_origins (module->source, origins);
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The place of the module's instruction of that number, from 1. */
static RspSpan span_of (const SpirvModule *module, gsize number) {
  return number && number <= module->n ? module->instructions[number - 1].span
                                       : (RspSpan){ module->source, 0, 0 };
}

/* Reports what SPIRV-Tools found: in the assembly at its line, in the module at its instruction. */
static void report (SpirvModule *module, spv_diagnostic diagnostic, RspDiagnostics *diagnostics) {
  RspSpan span = span_of (module, diagnostic->isTextSource ? 0 : diagnostic->position.index);
  if (diagnostic->isTextSource && diagnostic->position.line < module->source->n_lines) {
    span.begin
        = module->source->lines[diagnostic->position.line] + (guint) diagnostic->position.column;
    span.begin = MIN (span.begin, (guint) module->source->length);
    span.end = span.begin + (guint) strcspn (module->source->text + span.begin, " \t\r\n");
  }
  g_autofree char *message = g_strdup (diagnostic->error);
  message[strcspn (message, "\n")] = '\0';
  rsp_error (diagnostics, span, NULL, "SPIRV-Tools: %s", message);
}

/* The text with the languages of OpSource replaced: SPIRV-Tools does not know newer ones than
 * itself. */
static GString *without_languages (RspSource *source) {
  GString *out = g_string_new (NULL);
  Scan scan = { .source = source };
  RspSpan word;
  guint done = 0;
  while (next_word (&scan, &word))
    if (word.end - word.begin == strlen ("OpSource")
        && g_str_has_prefix (source->text + word.begin, "OpSource") && next_word (&scan, &word)) {
      g_string_append_len (out, source->text + done, word.begin - done);
      g_string_append (out, "Unknown");
      done = word.end;
    }
  return g_string_append_len (out, source->text + done, (gssize) source->length - done);
}

/* The words of the module, and its text. FALSE after an error. */
static gboolean assemble (SpirvModule *module, spv_const_context context, const char *path,
                          char *bytes, gsize length, gsize *n, spv_diagnostic *diagnostic) {
  guint32 magic = 0;
  memcpy (&magic, bytes, MIN (length, sizeof magic));
  if (magic == SpvMagicNumber || GUINT32_SWAP_LE_BE (magic) == SpvMagicNumber) {
    spv_text text = NULL;
    module->is_binary = TRUE;
    *n = length / sizeof (guint32);
    module->words = rsp_arena_copy (module->arena, bytes, *n * sizeof (guint32));
    g_free (bytes);
    const spv_result_t result = spvBinaryToText (context, module->words, *n,
                                                 SPV_BINARY_TO_TEXT_OPTION_INDENT
                                                     | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
                                                 &text, diagnostic);
    module->source = result == SPV_SUCCESS
                         ? rsp_source_new (path, g_strndup (text->str, text->length), text->length)
                         : rsp_source_new (path, g_strdup (""), 0);
    spvTextDestroy (text);
    return result == SPV_SUCCESS;
  }
  spv_binary binary = NULL;
  module->source = rsp_source_new (path, bytes, length);
  g_autoptr (GString) text = without_languages (module->source);
  const spv_result_t result = spvTextToBinary (context, text->str, text->len, &binary, diagnostic);
  if (result == SPV_SUCCESS) {
    *n = binary->wordCount;
    module->words = rsp_arena_copy (module->arena, binary->code, *n * sizeof (guint32));
  }
  spvBinaryDestroy (binary);
  return result == SPV_SUCCESS;
}

typedef struct Validation {
  spv_const_context context;
  spv_const_binary_t binary;
} Validation;

/* Validates the module; prints the number of the instruction and the message. Layouts and pointers
 * that drivers accept are no errors. */
static void validate (gpointer data, int out) {
  Validation *own = data;
  spv_diagnostic diagnostic = NULL;
  spv_validator_options options = spvValidatorOptionsCreate ();
  spvValidatorOptionsSetSkipBlockLayout (options, true);
  spvValidatorOptionsSetRelaxStoreStruct (options, true);
  spvValidatorOptionsSetRelaxLogicalPointer (options, true);
  if (spvValidateWithOptions (own->context, options, &own->binary, &diagnostic) != SPV_SUCCESS
      && diagnostic)
    dprintf (out, "%zu %.*s", diagnostic->position.index,
             (int) MIN (LONGEST, strcspn (diagnostic->error, "\n")), diagnostic->error);
  spvDiagnosticDestroy (diagnostic);
  spvValidatorOptionsDestroy (options);
}

/* Warns if a module is invalid. The validator may recurse or calculate without a limit, so it runs
 * in its own process. */
static void warn_of_invalid (const SpirvModule *module, spv_const_context context, gsize n,
                             RspDiagnostics *diagnostics) {
  g_autoptr (GString) text = g_string_new (NULL);
  Validation own = { context, { module->words, n } };
  int status = 0;
  const gboolean ran = rsp_kernel_run_apart (validate, &own, text, &status);
  const char *message = strchr (text->str, ' ');
  if (!ran)
    rsp_warning (diagnostics, span_of (module, 0), NULL, "SPIRV-Tools: no validation: %s",
                 g_strerror (errno));
  else if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    rsp_warning (diagnostics, span_of (module, 0), NULL,
                 "SPIRV-Tools: the validator takes too much time or memory");
  else if (message)
    rsp_warning (diagnostics, span_of (module, g_ascii_strtoull (text->str, NULL, 10)), NULL,
                 "SPIRV-Tools: %s", message + 1);
}

/* Frees the last diagnostic, which SPIRV-Tools would overwrite, even if it was only a warning. */
static spv_diagnostic *afresh (spv_diagnostic *diagnostic) {
  spvDiagnosticDestroy (*diagnostic);
  *diagnostic = NULL;
  return diagnostic;
}

/* FALSE, with an error: a number has an unknown width, or a variable's type is not a pointer. */
static gboolean has_known_types (const SpirvModule *module, RspDiagnostics *diagnostics) {
  for (all_instructions (at, module)) {
    const gboolean is_int = at->opcode == SpvOpTypeInt;
    const guint32 bits = is_int || at->opcode == SpvOpTypeFloat ? at->words[2] : 64;
    const gboolean known = bits == 64 || bits == 32 || bits == 16 || (is_int && bits == 8);
    if ((at->opcode == SpvOpTypePointer || at->opcode == SpvOpTypeForwardPointer)
        && at->words[2] == SpvStorageClassPhysicalStorageBuffer)
      rsp_error (diagnostics, at->span, NULL,
                 "found a pointer of `PhysicalStorageBuffer64`, which is not supported");
    else if (!known)
      rsp_error (diagnostics, at->span, NULL, "found %s of %u bits, expected %s16, 32 or 64",
                 is_int ? "an integer" : "a float", bits, is_int ? "8, " : "");
    else if (at->opcode != SpvOpVariable
             || spirv_definition (module, at->type)->opcode == SpvOpTypePointer)
      continue;
    else
      rsp_error (diagnostics, at->span, NULL, "the type of a variable must be a pointer");
    return FALSE;
  }
  return TRUE;
}

/* FALSE, with an error: a type or constant has too many parts, or too many levels. Each may contain
 * the one before twice, and the validator visits all. */
static gboolean is_bounded (const SpirvModule *module, RspDiagnostics *diagnostics) {
  g_autofree guint32 *parts = g_new0 (guint32, module->bound),
                     *levels = g_new0 (guint32, module->bound);
  for (all_instructions (at, module)) {
    const gboolean is_constant
        = at->opcode == SpvOpConstantComposite || at->opcode == SpvOpSpecConstantComposite,
        is_array = at->opcode == SpvOpTypeArray || at->opcode == SpvOpTypeRuntimeArray,
        is_pointer = at->opcode == SpvOpTypePointer,
        is_list = is_constant || at->opcode == SpvOpTypeStruct;
    const guint end = is_list ? at->n : is_array ? 3 : is_pointer ? 4 : 0;
    for (guint k = is_constant || is_pointer ? 3 : 2; k < end; k++) {
      const guint32 part = at->words[k];
      parts[at->result] += 1 + (is_pointer ? 0 : parts[part]);
      levels[at->result] = MAX (levels[at->result], 1 + levels[part]);
      if (parts[at->result] <= MAX_PARTS && levels[at->result] <= MAX_LEVELS)
        continue;
      rsp_error (diagnostics, at->span, NULL,
                 "found a type with more than %d parts in all, or nested more than %d deep",
                 MAX_PARTS, MAX_LEVELS);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean read_module (SpirvModule *module, const char *path, char *bytes, gsize length,
                             RspDiagnostics *diagnostics) {
  spv_context context = spvContextCreate (SPV_ENV_UNIVERSAL_1_6);
  spv_diagnostic diagnostic = NULL;
  Parse parse
      = { .module = module, .instructions = g_array_new (FALSE, FALSE, sizeof (SpirvInst)) };
  gsize n = 0;
  gboolean good = assemble (module, context, path, bytes, length, &n, &diagnostic)
                  && spvBinaryParse (context, &parse, module->words, n, take_header,
                                     take_instruction, afresh (&diagnostic))
                         == SPV_SUCCESS;
  if (good) {
    module->n = parse.instructions->len;
    module->instructions
        = rsp_arena_copy (module->arena, parse.instructions->data, module->n * sizeof (SpirvInst));
    fill_tables (module);
    find_origins (module);
    good = has_known_types (module, diagnostics) && is_bounded (module, diagnostics);
    if (good)
      warn_of_invalid (module, context, n, diagnostics);
    good &= !parse.undefined;
    if (parse.undefined && parse.forward)
      rsp_error (diagnostics, module->instructions[parse.forward - 1].span, NULL,
                 "found `OpTypeForwardPointer`, which is not supported");
    else if (parse.undefined)
      rsp_error (diagnostics, module->instructions[parse.user].span, NULL,
                 "`%s` is used before it is defined", module->written[parse.undefined]);
  } else if (parse.outside)
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "%s: found an id or bound of %u, expected ids below the header's bound, which is at "
               "most %d",
               path, parse.outside, MAX_BOUND);
  else if (diagnostic)
    report (module, diagnostic, diagnostics);
  else
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: is not a SPIR-V module", path);
  spvDiagnosticDestroy (diagnostic);
  spvContextDestroy (context);
  g_array_unref (parse.instructions);
  return good;
}

/* Reads a module from bytes, which are freed. compiled: see SpirvModule. */
static SpirvModule *from_bytes (const char *path, const char *compiled, char *bytes, gsize length,
                                RspDiagnostics *diagnostics) {
  RspArena *arena = rsp_arena_new ();
  SpirvModule *module = rsp_arena_new0 (arena, SpirvModule, 1);
  module->arena = arena;
  module->compiled = compiled ? rsp_arena_printf (arena, "%s", compiled) : NULL;
  if (!read_module (module, path, bytes, length, diagnostics))
    g_clear_pointer (&module, spirv_free);
  return module;
}

SpirvModule *spirv_read (const char *path, const char *text, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = g_strdup (text);
  gsize length = text ? strlen (text) : 0;
  if (!text && !rsp_source_is_allowed (path))
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: may not be read here", path);
  else if (!text
           && (!rsp_source_ends (path) || !g_file_get_contents (path, &bytes, &length, &error))) {
    g_autofree char *hint = rsp_near_path_hint (path);
    rsp_error (diagnostics, RSP_NOWHERE, hint, "%s",
               error ? error->message : "modules are read from files");
  } else if (length > MAX_BYTES)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: is larger than %d MiB", path, MAX_BYTES >> 20);
  else
    return from_bytes (path, NULL, g_steal_pointer (&bytes), length, diagnostics);
  return NULL;
}

SpirvModule *spirv_compile (const char *path, const char *text, const char *const *preprocessing,
                            RspDiagnostics *diagnostics) {
  GString *module = g_string_new (NULL);
  g_autofree char *file = rsp_kernel_compile (path, text, preprocessing, module, diagnostics);
  const gsize length = module->len;
  g_autofree char *bytes = g_string_free (module, FALSE);
  return file ? from_bytes (path, file, g_steal_pointer (&bytes), length, diagnostics) : NULL;
}

void spirv_free (SpirvModule *module) {
  if (!module)
    return;
  rsp_source_unref (module->source);
  rsp_arena_free (module->arena);
}
