/* Building the syntax of kernels: enumerations. */
#include "parser/kernel/enumeration.h"
#include "parser/kernel/build.h"

KernelType *kernel_enum (KernelParser *parser) {
  KernelType *type = rsp_arena_new0 (parser->base.arena, KernelType, 1);
  *type = (KernelType){
    .kind = KERNEL_INTEGER, .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE
  };
  return type;
}

void kernel_begin_enumeration (KernelParser *parser) {
  parser->last_value = NULL;
  parser->any_enumerator = FALSE;
}

/* The value is that of the last enumerator with one, and how far the enumerator comes after it. */
void kernel_add_enumerator (KernelParser *parser, TokenRange range, const char *name,
                            KernelExpr *value) {
  KernelVariable *own = rsp_arena_new0 (parser->base.arena, KernelVariable, 1);
  KernelExpr *offset = kernel_expr (parser, range, KERNEL_NUMBER, RSP_OP_NONE, NULL, NULL);
  parser->last_value = value ? value : parser->last_value;
  parser->after_value = value || !parser->any_enumerator ? 0 : parser->after_value + 1;
  parser->any_enumerator = TRUE;
  offset->number = (LitmusNumber){ .value = parser->after_value, .bits = 32, .is_signed = TRUE };
  *own = (KernelVariable){ .name = name,
                           .type = kernel_enum (parser),
                           .span = rsp_litmus_span (&parser->base, range),
                           .initial = offset,
                           .is_enumerator = TRUE };
  if (parser->last_value)
    own->initial
        = kernel_expr (parser, range, KERNEL_BINARY, RSP_OP_ADD, parser->last_value, offset);
  parser->enumerators = rsp_litmus_append (&parser->base, parser->enumerators, own);
}

LitmusList kernel_take_enumerators (KernelParser *parser) {
  const LitmusList all = parser->enumerators;
  parser->enumerators = (LitmusList){ NULL, 0 };
  return all;
}
