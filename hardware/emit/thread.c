/* Threads as functions, and the function that finds the one to run. */
#include "hardware/emit/thread.h"
#include "hardware/emit/assembly.h"
#include "hardware/emit/statement.h"
#include "hardware/emit/text.h"

static void emit_address_of (Emitter *e, guint object) {
  RspType pointer = e->program->locations[object].type;
  pointer.pointers++;
  g_autofree char *type = emit_type_text (e, &pointer);
  g_autofree char *name = emit_location_name (e, object);
  g_autofree char *address = emit_object (e, object);
  emit_line (e, "%sconst %s = %s;", type, name, address);
}

/* The addresses of the thread's parameters, or in a language without any of all objects. */
static void emit_parameters (Emitter *e) {
  for (guint i = 0; i < e->thread->n_parameters; i++)
    if (e->thread->parameters[i].object != G_MAXUINT)
      emit_address_of (e, e->thread->parameters[i].object);
  for (guint i = 0; e->program->language->tagged && i < e->program->n_locations; i++)
    emit_address_of (e, i);
}

static void emit_registers (Emitter *e) {
  for (guint i = 0; i < e->thread->n_registers; i++) {
    const RspRegister *reg = &e->thread->registers[i];
    g_autofree char *type = emit_type_text (e, &reg->type);
    g_autofree char *name = emit_register_name (e, i);
    g_autofree char *initial = emit_initial (e, &reg->type, reg->initial);
    emit_line (e, "%s%s%s = %s;", type, reg->type.pointers ? "" : " ", name, initial);
  }
}

static void emit_results (Emitter *e, guint thread) {
  for (guint i = 0; i < e->program->n_observables; i++) {
    const RspObservable *o = &e->program->observables[i];
    if (!o->is_register || o->thread != thread)
      continue;
    g_autofree char *name = emit_register_name (e, o->reg);
    g_autofree char *value = emit_result (e, &e->thread->registers[o->reg].type, name);
    emit_line (e, "RESULT (%u) = %s;", layout_result (e->program, i), value);
  }
}

/* The body is written first, because what precedes it depends on it. */
static void emit_thread (Emitter *e, guint i) {
  GString *out = e->out;
  g_autoptr (GString) body = g_string_new (NULL);
  e->thread = &e->program->threads[i];
  e->n_loops = 0;
  e->ends_early = FALSE;
  e->out = body;
  e->indent = 1;
  const Assembly *assembly = rsp_assembly_find (e->options->target, e->program->language->id);
  if (assembly)
    assembly->body (e);
  else
    emit_statement (e, e->thread->body);
  e->out = out;
  e->indent = 0;
  emit_line (e, "ROLE void\ntest%u_P%u (CONTEXT c)\n{", e->number, e->thread->number);
  e->indent = 1;
  emit_parameters (e);
  emit_registers (e);
  for (guint k = 0; k < e->n_loops; k++)
    emit_line (e, "unsigned n%u;", k);
  g_string_append_printf (out, "%s%s", body->str, e->ends_early ? "end:;\n" : "");
  emit_results (e, i);
  e->indent = 0;
  emit_line (e, "}\n");
}

/* thread (group, member, c) */
static void emit_choice (Emitter *e) {
  emit_line (e, "CODE void\ntest%u_thread (unsigned group, unsigned member, CONTEXT c)\n{",
             e->number);
  for (guint i = 0; i < e->program->n_threads; i++) {
    const RspThread *thread = &e->program->threads[i];
    emit_line (e, "  %sif (group == %u && member == %u)", i ? "else " : "",
               layout_group (e->program, thread), layout_member (e->program, thread));
    emit_line (e, "    test%u_P%u (c);", e->number, thread->number);
  }
  emit_line (e, "}\n");
}

void emit_threads (Emitter *e) {
  for (guint i = 0; i < e->program->n_threads; i++)
    emit_thread (e, i);
  emit_choice (e);
}
