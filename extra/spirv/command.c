/* SPIR-V as a language of -kernel. */
#include "cli/extra.h"
#include "extra/spirv/files.h"
#include "extra/spirv/internal.h"

#include <stdio.h>
#include <string.h>

typedef struct SpirvOptions {
  GPtrArray *values; /* of -spec */
} SpirvOptions;

/* ---- Options -------------------------------------------------------------------------------- */

/* Does the specialization constant have this SpecId or name? */
static gboolean is_named (const SpirvModule *module, const SpirvInst *spec, const char *name) {
  g_autofree char *number = g_strdup_printf ("%u", spec->words[3]);
  return g_str_equal (name, number) || g_str_equal (name, module->names[spec->words[1]])
         || g_str_equal (name, module->written[spec->words[1]]);
}

/* `-spec 3=7`, or a constant's name. FALSE after an error. */
static gboolean specialise (SpirvFront *front, const char *text, RspDiagnostics *diagnostics) {
  SpirvModule *module = front->module;
  const char *value = strchr (text, '=');
  g_autofree char *name = g_strndup (text, value ? (gsize) (value - text) : strlen (text)),
                  *expected = NULL;
  g_autoptr (GString) known = g_string_new (NULL);
  gboolean found = FALSE;
  for (guint32 id = 1; id < module->bound && !expected; id++) {
    const SpirvInst *spec = spirv_decoration (module, id, -1, SpvDecorationSpecId),
                    *at = spirv_definition (module, id);
    CType type;
    gint64 number = value && g_str_equal (value, "=true");
    if (!spec || !spirv_scalar_type (spirv_definition (module, at->type), &type))
      continue;
    g_string_append_printf (known, "%s%u (`%s`)", known->len ? ", " : "the module has ",
                            spec->words[3], module->names[id]);
    if (!is_named (module, spec, name))
      continue;
    if (!value)
      expected = g_strdup ("a value after `=`");
    else if (type.bits > 1 || (!number && !g_str_equal (value, "=false")))
      expected = rsp_kernel_read_number (value + 1, &type, TRUE, &number);
    if (expected || !spirv_specialise (module, id, number))
      continue;
    found = TRUE;
    g_hash_table_insert (front->inputs, GUINT_TO_POINTER (id),
                         rsp_arena_new0 (module->arena, SpirvInput, 1));
  }
  if (expected)
    rsp_error (diagnostics, RSP_NOWHERE, "`-spec 3=7`: by its SpecId, or `-spec NAME=7`",
               "-spec %s: found `%s`, expected %s", text, value ? value + 1 : "", expected);
  else if (!found)
    rsp_error (diagnostics, RSP_NOWHERE, known->len ? known->str : "the module has none",
               "-spec %s: the module has no specialization constant `%s`", text, name);
  return found;
}

/* ---- The front end -------------------------------------------------------------------------- */

/* Is it a binary, or assembly that begins as disassemblers write it, whatever its name? */
static gboolean looks_like_module (const char *path) {
  static const char *const beginnings[]
      = { "\x03\x02\x23\x07", "\x07\x23\x02\x03", "; SPIR-V", "OpCapability" };
  char text[16] = "";
  FILE *file = rsp_source_ends (path) ? fopen (path, "rb") : NULL;
  if (file) {
    text[fread (text, 1, sizeof text - 1, file)] = '\0';
    fclose (file);
  }
  SPIRV_FIND (i, beginnings, g_str_has_prefix (text, beginnings[i]));
  return i < G_N_ELEMENTS (beginnings);
}

static gboolean recognises (const char *path) {
  return spirv_kind_of (path) != SPIRV_FILE_OTHER || looks_like_module (path);
}

static void close_front (RspKernelFront *base) {
  SpirvFront *front = (SpirvFront *) base;
  g_hash_table_unref (front->inputs);
  g_ptr_array_unref (base->entries);
  g_ptr_array_unref (front->arguments);
  g_array_unref (front->outputs);
  spirv_free (front->module);
  g_free (front);
}

static void find_model (SpirvFront *front) {
  for (all_instructions (at, front->module)) {
    if (at->opcode != SpvOpMemoryModel)
      continue;
    front->vulkan = at->words[2] == SpvMemoryModelVulkan;
    if (at->words[2] == SpvMemoryModelOpenCL)
      front->base.language = &rsp_kernel_language;
  }
  if (front->base.language->tagged) {
    /* Only a storage class that no shader has is ordered. */
    const SpirvScope *device = spirv_scope (SpvScopeDevice);
    const guint64 both = RSP_TAG_BIT (ATOM) | RSP_TAG_BIT (NONPRIV)
                         | spirv_class_tag (SpvStorageClassCrossWorkgroup) | device->tag;
    front->base.group_reach = device->reach;
    front->base.group_reads = both | RSP_TAG_BIT (VIS);
    front->base.group_writes = both | RSP_TAG_BIT (AV);
    front->base.group_meets = RSP_TAG_BIT (CBAR);
    front->base.group_orders = spirv_scope (SpvScopeSubgroup)->tag
                               | spirv_semantics (SpvMemorySemanticsAcquireReleaseMask
                                                  | SpvMemorySemanticsCrossWorkgroupMemoryMask)
                                     .tags;
  }
  /* SPIR-V has no remote accesses: opencl.cat is OpenCL's model without them. */
  front->base.default_model = front->base.language == &rsp_kernel_language
                                  ? "opencl.cat"
                                  : front->base.language->default_model;
}

static GPtrArray *find_entries (const SpirvModule *module) {
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (all_declarations (at, module))
    if (at->opcode == SpvOpEntryPoint && spirv_is_compute (at))
      g_ptr_array_add (entries, g_strdupv ((char *[]){ (char *) spirv_string (at, 3), NULL }));
  return entries;
}

static const GPtrArray *arguments_of (RspKernelFront *base, const char *entry) {
  SpirvFront *front = (SpirvFront *) base;
  g_ptr_array_set_size (front->arguments, 0);
  spirv_add_arguments (front, entry, NULL); /* those of all entries had no error */
  return front->arguments;
}

static RspKernelFront *open_front (const CliOptions *options, const char *path, const char *text,
                                   const char *const *preprocessing, RspDiagnostics *diagnostics) {
  const SpirvOptions *own = options ? cli_extra_options (options, &spirv_extra) : NULL;
  const SpirvFile kind = spirv_kind_of (path);
  SpirvModule *module = NULL;
  if (kind == SPIRV_FILE_STAGE)
    rsp_error (diagnostics, RSP_NOWHERE, "those of compute shaders end in `.comp`",
               "%s: only compute shaders are read", path);
  else if (kind == SPIRV_FILE_COMPUTE)
    module = spirv_compile (path, text, preprocessing, diagnostics);
  else
    module = spirv_read (path, text, diagnostics);
  if (!module)
    return NULL;
  SpirvFront *front = g_new0 (SpirvFront, 1);
  *front = (SpirvFront){ .base = { .source = module->source,
                                   .listed = module->is_binary,
                                   .language = &rsp_shader_language,
                                   .quantifier = RSP_FORALL,
                                   .entries = find_entries (module),
                                   .arguments = arguments_of,
                                   .declare = spirv_declare,
                                   .body = spirv_body },
                         .module = module };
  front->inputs = g_hash_table_new (NULL, NULL);
  front->arguments = g_ptr_array_new_with_free_func (g_free);
  front->outputs = g_array_new (FALSE, FALSE, sizeof (RspSpan));
  find_model (front);
  spirv_name_parameters (module);
  gboolean good = spirv_read_comments (front, diagnostics);
  for (guint i = 0; own && i < own->values->len; i++)
    good &= specialise (front, own->values->pdata[i], diagnostics);
  spirv_fold_constants (module, NULL);
  if (good && spirv_add_arguments (front, NULL, diagnostics))
    return &front->base;
  close_front (&front->base);
  return NULL;
}

/* ---- The grid ------------------------------------------------------------------------------- */

/* The size of the entry's work-groups: the constant WorkgroupSize, or its execution mode's. */
static void find_local_size (const SpirvFront *front, const char *entry, gint64 *sizes) {
  enum { FIRST = 3 }; /* word with a size */
  const SpirvModule *module = front->module;
  const SpirvInst *own = NULL;
  for (all_declarations (at, module)) {
    if (at->opcode == SpvOpDecorate && at->words[2] == SpvDecorationBuiltIn
        && at->words[3] == SpvBuiltInWorkgroupSize) {
      own = spirv_definition (module, at->words[1]);
      break;
    }
    if (((at->opcode == SpvOpExecutionMode && at->words[2] == SpvExecutionModeLocalSize)
         || (at->opcode == SpvOpExecutionModeId && at->words[2] == SpvExecutionModeLocalSizeId))
        && spirv_entry (module, at->words[1], entry))
      own = at;
  }
  for (guint d = 0; own && d < RSP_GRID_DIMENSIONS && FIRST + d < own->n; d++) {
    gint64 size = own->words[FIRST + d];
    if (own->opcode == SpvOpExecutionMode || spirv_literal (module, own->words[FIRST + d], &size))
      sizes[d] = size;
  }
}

static char *grid_of (const RspKernelFront *base, const char *entry) {
  const SpirvFront *front = (const SpirvFront *) base;
  const guint *config = front->config;
  gint64 sizes[RSP_GRID_DIMENSIONS] = { 1, 1, 1 };
  if (!spirv_required_size (front->module, spirv_entry (front->module, 0, entry), sizes))
    find_local_size (front, entry, sizes);
  const gboolean is_line = sizes[1] * sizes[2] == 1;
  if (config[0] && config[1] == 1 && is_line)
    return g_strdup_printf ("%ux%u", config[2], config[0]);
  if (config[0] && (config[1] > 1 || sizes[0] * sizes[1] * sizes[2] != config[0]))
    return g_strdup_printf ("%ux%ux%u", config[2], config[1], config[0]);
  if (is_line)
    return g_strdup_printf ("1x%" G_GINT64_FORMAT, MAX (1, sizes[0]));
  return g_strdup_printf ("%ux%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                          MAX (1, config[2]), sizes[0], sizes[1], sizes[2]);
}

#define OPTIONS SpirvOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  VALUE ("spec", CLI_KERNELS, CLI_LIST, values, "ID=V",
         "The value of a specialization constant of a SPIR-V module, by its SpecId or name. May be "
         "repeated."),
};

static const CliKernels kernels
    = { .recognises = recognises, .open = open_front, .grid = grid_of, .close = close_front };

const CliExtra spirv_extra = { .options = options_table,
                               .n_options = G_N_ELEMENTS (options_table),
                               .size = sizeof (SpirvOptions),
                               .inside = (const char *const[]){ "spec", NULL },
                               .kernels = &kernels };
