#include "parser/dsom/resolve.h"
#include "parser/dsom/host.h"
#include "parser/dsom/kernel.h"
#include "parser/dsom/question.h"

/* ---- Buffers ---- */

static gint64 wrap (gint64 value, guint bytes) {
  guint bits = 8 * bytes;
  if (bits == 64)
    return value;
  return bits == 8 ? value & 0xff : (gint64) ((guint64) value << (64 - bits)) >> (64 - bits);
}

static void fill_initial (DsomResolver *resolver, const DsomBuffer *syntax, RspDsomBuffer *buffer) {
  buffer->initial = rsp_arena_new0 (resolver->program->arena, gint64, buffer->n);
  guint i = 0;
  for (const DsomNumber *number = syntax->initial; number; number = number->next, i++)
    if (i < buffer->n)
      buffer->initial[i] = wrap (number->value, buffer->element);
    else {
      rsp_error (resolver->diagnostics, number->span, NULL,
                 "more initial values than `%s` has elements, which is %u", buffer->name,
                 buffer->n);
      return;
    }
}

static void resolve_buffers (DsomResolver *resolver) {
  RspDsomProgram *program = resolver->program;
  for (const DsomBuffer *syntax = resolver->parser->buffers; syntax; syntax = syntax->next)
    program->n_buffers++;
  program->buffers = rsp_arena_new0 (program->arena, RspDsomBuffer, program->n_buffers);
  RspDsomBuffer *buffer = program->buffers;
  guint i = 0;
  for (const DsomBuffer *syntax = resolver->parser->buffers; syntax; syntax = syntax->next) {
    gint64 n = CLAMP (syntax->size->value, 0, RSP_DSOM_MOST_BYTES + 1);
    gint64 bytes = n * syntax->element;
    if (bytes < 1 || bytes + program->n_bytes > RSP_DSOM_MOST_BYTES) {
      rsp_error (resolver->diagnostics, syntax->size->span, NULL,
                 "a buffer has at least one element, and all buffers have at most %d bytes",
                 RSP_DSOM_MOST_BYTES);
      return;
    }
    *buffer = (RspDsomBuffer){ .name = syntax->name,
                               .element = syntax->element,
                               .n = (guint) n,
                               .first = program->n_bytes,
                               .span = syntax->span };
    program->n_bytes += (guint) bytes;
    fill_initial (resolver, syntax, buffer++);
    g_hash_table_insert (resolver->buffers, (gpointer) syntax->name, GUINT_TO_POINTER (++i));
  }
}

static void resolve_registers (DsomResolver *resolver) {
  for (const DsomRegister *syntax = resolver->parser->registers; syntax; syntax = syntax->next) {
    guint number = dsom_declare_register (resolver, syntax->name);
    RspDsomRegister *reg = resolver->register_list->pdata[number];
    reg->initial = syntax->initial ? syntax->initial->value : 0;
  }
  const GPtrArray *assigned = resolver->parser->assigned;
  for (guint i = 0; i < assigned->len; i++)
    dsom_declare_register (resolver, assigned->pdata[i]);
}

/* ---- All ---- */

static void resolve_kernels (DsomResolver *resolver) {
  RspDsomProgram *program = resolver->program;
  for (const DsomKernel *syntax = resolver->parser->kernels; syntax; syntax = syntax->next)
    program->n_kernels++;
  program->kernels = rsp_arena_new0 (program->arena, RspDsomKernel, program->n_kernels);
  guint i = 0;
  for (const DsomKernel *syntax = resolver->parser->kernels; syntax; syntax = syntax->next) {
    dsom_resolve_kernel (resolver, syntax, &program->kernels[i++]);
    g_hash_table_insert (resolver->kernels, (gpointer) syntax->name, GUINT_TO_POINTER (i));
  }
}

static void resolve_all (DsomResolver *resolver) {
  RspDsomProgram *program = resolver->program;
  guint errors = rsp_diagnostics_count_errors (resolver->diagnostics);
  resolve_buffers (resolver);
  if (rsp_diagnostics_count_errors (resolver->diagnostics) != errors)
    return;
  resolve_registers (resolver);
  program->n_devices = resolver->parser->devices ? (guint) resolver->parser->devices->value : 0;
  resolve_kernels (resolver);
  dsom_resolve_host (resolver, resolver->parser->host);
  program->n_devices = MAX (program->n_devices, 1);
  dsom_resolve_question (resolver);
  program->n_registers = resolver->register_list->len;
  program->registers = rsp_arena_new0 (program->arena, RspDsomRegister, program->n_registers);
  for (guint i = 0; i < program->n_registers; i++)
    program->registers[i] = *(RspDsomRegister *) resolver->register_list->pdata[i];
}

void dsom_resolve (RspDsomProgram *program, DsomParser *parser) {
  DsomResolver resolver = { .parser = parser,
                            .program = program,
                            .diagnostics = parser->diagnostics,
                            .buffers = g_hash_table_new (g_str_hash, g_str_equal),
                            .registers = g_hash_table_new (g_str_hash, g_str_equal),
                            .kernels = g_hash_table_new (g_str_hash, g_str_equal),
                            .register_list = g_ptr_array_new () };
  program->name = parser->name;
  program->doc = parser->doc;
  resolve_all (&resolver);
  g_hash_table_unref (resolver.buffers);
  g_hash_table_unref (resolver.registers);
  g_hash_table_unref (resolver.kernels);
  g_ptr_array_unref (resolver.register_list);
}
