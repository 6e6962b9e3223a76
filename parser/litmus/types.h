#pragma once

#include "parser/litmus/syntax.h"

LitmusSpecs *rsp_litmus_specs_new (LitmusParser *parser, TokenRange range);
void rsp_litmus_specs_add (LitmusParser *parser, LitmusSpecs *specs, const LitmusTypeWord *word,
                           TokenRange range);
/* Adds `_Atomic`. */
void rsp_litmus_specs_atomic (LitmusSpecs *specs, TokenRange range);
/* Adds `_Atomic (inner)`. */
void rsp_litmus_specs_merge (LitmusParser *parser, LitmusSpecs *specs, const LitmusSpecs *inner,
                             TokenRange range);
/* One more star, with its qualifiers (NULL: none). */
LitmusStars rsp_litmus_star (LitmusParser *parser, LitmusStars stars, const LitmusSpecs *qualifiers,
                             TokenRange range);
void rsp_litmus_check_void (LitmusParser *parser, TokenRange range, const LitmusTypeWord *word);
void rsp_litmus_check_no_parameters (LitmusParser *parser, const LitmusSpecs *specs);
LitmusDeclarator *rsp_litmus_declarator (LitmusParser *parser, LitmusStars stars, const char *name,
                                         TokenRange range);

RspType rsp_litmus_int_type (void);
/* The type that C gives a literal. */
RspType rsp_litmus_number_type (LitmusNumber number);
RspType rsp_litmus_null_type (void);
/* The type that specifiers and that many stars spell. */
RspType rsp_litmus_type (const LitmusSpecs *specs, guint pointers);
/* As the hash spells it: "__global _Atomic int*"; in C tests as herd7 does: "uint8_t const*". */
const char *rsp_litmus_type_spelling (RspArena *arena, const LitmusSpecs *specs, guint pointers,
                                      gboolean is_c);
/* For messages: "int", "unsigned long*". Newly allocated. */
char *rsp_litmus_type_name (RspType type);
