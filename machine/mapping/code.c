#include "machine/mapping/code.h"
#include "parser/map/load.h"
#include "parser/map/words.h"

#include <string.h>

/* The number of a level; the first if name is NULL. FALSE if the machine has none of that name. */
static gboolean find_level (const RspMapInstruction *instruction, const char *const *levels,
                            const char *machine, RspDiagnostics *diagnostics, guint8 *level) {
  *level = 0;
  if (!instruction->level)
    return TRUE;
  guint n = g_strv_length ((char **) levels);
  for (; *level < n && strcmp (levels[*level], instruction->level) != 0; (*level)++)
    ;
  if (*level < n || strcmp (instruction->level, "MEM") == 0)
    return TRUE;
  g_autoptr (GString) list = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "`%s`, ", levels[i]);
  rsp_error (diagnostics, instruction->span, NULL,
             "machine %s has no level `%s`: expected one of %s`MEM`", machine, instruction->level,
             list->str);
  return FALSE;
}

/* CLEAN and WAIT are for accesses that are counted, FLU, LOCK and STEP for accesses that are waited
 * for. */
static gboolean check_kind (const RspMapInstruction *instruction, const char *machine,
                            gboolean counted, RspDiagnostics *diagnostics) {
  gboolean counts = instruction->kind == RSP_MAP_CLEAN || instruction->kind == RSP_MAP_WAIT;
  gboolean waits = instruction->kind == RSP_MAP_FLU || instruction->kind == RSP_MAP_LOCK
                   || instruction->joined;
  if (!(counted ? waits : counts))
    return TRUE;
  rsp_error (diagnostics, instruction->span, counted ? "CLEAN and WAIT do that" : "FLU does that",
             counted ? "machine %s has outstanding accesses, and no FLU, LOCK or STEP"
                     : "machine %s waits for each access, and has no CLEAN or WAIT",
             machine);
  return FALSE;
}

static gboolean compile (const RspMapRow *row, const char *const *levels, const char *machine,
                         gboolean counted, RspDiagnostics *diagnostics, RspCode *code) {
  gboolean ok = TRUE;
  code->row = row;
  code->n = row->n_instructions;
  code->instructions = g_new0 (RspInstruction, code->n + 1);
  for (guint i = 0; i < code->n; i++) {
    const RspMapInstruction *from = &row->instructions[i];
    RspInstruction *to = &code->instructions[i];
    *to = (RspInstruction){ .kind = from->kind,
                            .bare = !from->level,
                            .reach = from->reach,
                            .locks = (guint8) from->locks,
                            .counted = (guint8) from->counted,
                            .joined = from->joined };
    ok &= find_level (from, levels, machine, diagnostics, &to->level)
          && check_kind (from, machine, counted, diagnostics);
  }
  return ok;
}

static void add_direct (RspCodes *codes) {
  RspCode direct = { .instructions = g_new0 (RspInstruction, 1), .n = 1 };
  /* The kind is that of the event. */
  direct.instructions[0]
      = (RspInstruction){ .kind = RSP_MAP_READ_WRITE, .level = (guint8) codes->n_levels };
  g_array_append_val (codes->codes, direct);
  RspCode none = { .instructions = g_new0 (RspInstruction, 1) };
  g_array_append_val (codes->codes, none);
}

RspCodes *rsp_codes_new (const RspMap *map, const char *const *levels, const char *machine,
                         gboolean counted, RspDiagnostics *diagnostics) {
  g_autoptr (RspCodes) codes = g_new0 (RspCodes, 1);
  gboolean ok = TRUE;
  codes->map = map;
  codes->counted = counted;
  codes->n_levels = g_strv_length ((char **) levels);
  codes->codes = g_array_new (FALSE, FALSE, sizeof (RspCode));
  add_direct (codes);
  for (const RspMapRow *row = map->rows; row; row = row->next) {
    RspCode code;
    ok &= compile (row, levels, machine, counted, diagnostics, &code);
    g_array_append_val (codes->codes, code);
  }
  return ok ? g_steal_pointer (&codes) : NULL;
}

void rsp_codes_free (RspCodes *codes) {
  if (!codes)
    return;
  for (guint i = 0; i < codes->codes->len; i++)
    g_free (rsp_code (codes, i)->instructions);
  g_array_unref (codes->codes);
  g_free (codes);
}

/* ---- The row of an event ---- */

static RspMapOperation operation_of (const RspEvent *event) {
  switch (event->kind) {
  case RSP_EVENT_READ:
    return event->failed_rmw ? RSP_MAP_RMW : RSP_MAP_LOAD;
  case RSP_EVENT_WRITE:
    return RSP_MAP_STORE;
  case RSP_EVENT_RMW:
    return RSP_MAP_RMW;
  default:
    return RSP_MAP_FENCE;
  }
}

int rsp_codes_find (const RspCodes *codes, const RspProgram *program, const RspEvent *event) {
  RspMapOperation operation = operation_of (event);
  gboolean local = operation != RSP_MAP_FENCE
                   && program->locations[event->location].type.space == RSP_SPACE_LOCAL;
  if (operation == RSP_MAP_FENCE && event->flags && !(event->flags & RSP_FENCE_GLOBAL)
      && !codes->counted)
    return RSP_CODE_NONE;
  if (local && !codes->counted)
    return RSP_CODE_DIRECT;
  RspScope scope = local ? MIN (event->scope, RSP_SCOPE_WORK_GROUP) : event->scope;
  const RspMapRow *row = rsp_map_find (codes->map, operation, event->order, scope, event->remote);
  for (guint i = RSP_CODE_FIRST; row && i < codes->codes->len; i++)
    if (rsp_code (codes, i)->row == row)
      return (int) i;
  return -1;
}

char *rsp_codes_format_head (const RspEvent *event) {
  return rsp_map_format_head (operation_of (event), event->order, event->scope, event->remote);
}

char *rsp_codes_describe (const RspEvent *event) {
  return rsp_map_describe (operation_of (event), event->order, event->scope, event->remote);
}
