#ifndef RSP_PARSER_LITMUS_TYPES_H
#define RSP_PARSER_LITMUS_TYPES_H

#include "parser/litmus/syntax.h"

LitmusSpecs *litmus_specs_new (LitmusParser *parser, LitmusRange range);
void litmus_specs_add (LitmusParser *parser, LitmusSpecs *specs, const LitmusTypeWord *word,
                       LitmusRange range);
/* Adds `_Atomic`. */
void litmus_specs_atomic (LitmusSpecs *specs, LitmusRange range);
/* Adds `_Atomic (inner)`. */
void litmus_specs_merge (LitmusParser *parser, LitmusSpecs *specs, const LitmusSpecs *inner,
                         LitmusRange range);
/* One more star, with its qualifiers (NULL: none). */
LitmusStars litmus_star (LitmusParser *parser, LitmusStars stars, const LitmusSpecs *qualifiers,
                         LitmusRange range);
void litmus_check_void (LitmusParser *parser, LitmusRange range, const LitmusTypeWord *word);
void litmus_check_no_parameters (LitmusParser *parser, const LitmusSpecs *specs);
LitmusDeclarator *litmus_declarator (LitmusParser *parser, LitmusStars stars, const char *name,
                                     LitmusRange range);

RspType litmus_int_type (void);
RspType litmus_null_type (void);
/* The type that specifiers and that many stars spell. */
RspType litmus_type (const LitmusSpecs *specs, guint pointers);
/* As the hash spells it: "__global _Atomic int*". */
const char *litmus_type_spelling (RspArena *arena, const LitmusSpecs *specs, guint pointers);
/* For messages: "int", "unsigned long*". Newly allocated. */
char *litmus_type_name (RspType type);

#endif
