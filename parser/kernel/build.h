#pragma once

#include "parser/kernel/syntax.h"

/* ---- Types ---- */

/* Is it a type that no other word changes? */
gboolean kernel_is_whole_type (const char *word);
KernelSpecs *kernel_specs (KernelParser *parser, TokenRange range);
void kernel_add_word (KernelParser *parser, KernelSpecs *specs, TokenRange range, const char *word);
void kernel_add_type (KernelParser *parser, KernelSpecs *specs, TokenRange range, KernelType *type);
/* The structure with the tag (NULL: none), complete if it has members. */
KernelType *kernel_struct (KernelParser *parser, TokenRange range, const char *tag,
                           gboolean is_union, LitmusList *members);
/* What `specs;` declares in a structure: a structure without a tag, whose members count as the
 * outer one's; or nothing. */
LitmusList kernel_members_of (KernelParser *parser, KernelSpecs *specs, TokenRange range);

/* ---- Declarations ---- */

KernelDeclarator *kernel_declarator (KernelParser *parser, TokenRange range, KernelTypeKind kind,
                                     KernelDeclarator *inner);
/* Puts a pointer (outermost of several) around what it points from. */
KernelDeclarator *kernel_point (KernelDeclarator *pointers, KernelDeclarator *inner);
/* declarator NULL: a type alone. */
KernelVariable *kernel_variable (KernelParser *parser, KernelSpecs *specs,
                                 KernelDeclarator *declarator, TokenRange range);
/* The variable hides a type of its name: up to the end of so many blocks more than those that are
 * open. */
void kernel_hide (KernelParser *parser, const KernelVariable *variable, guint inner);
gboolean kernel_is_hidden (const KernelParser *parser, const char *name);
/* Forgets what blocks within the depth hid. */
void kernel_end_scopes (KernelParser *parser, guint depth);
void kernel_add_globals (KernelParser *parser, LitmusList variables);
/* `__axiom (e);` between functions. */
void kernel_add_axiom (KernelParser *parser, TokenRange range, const char *name,
                       LitmusList arguments);
void kernel_add_function (KernelParser *parser, KernelSpecs *specs, KernelDeclarator *declarator,
                          KernelStatement *body);

/* ---- Expressions and statements ---- */

KernelExpr *kernel_expr (KernelParser *parser, TokenRange range, KernelExprKind kind,
                         RspOperator op, KernelExpr *a, KernelExpr *b);
/* `(type) operand`. A vector's literal comes first: in `(int2)(1, 2).yx`, the member is that of the
 * vector. */
KernelExpr *kernel_cast_expr (KernelParser *parser, TokenRange range, KernelType *type,
                              KernelExpr *operand);
KernelStatement *kernel_statement (KernelParser *parser, TokenRange range, KernelStatementKind kind,
                                   KernelExpr *expr, KernelStatement *body);
/* Strings that stand side by side are one. */
const char *kernel_joined (KernelParser *parser, LitmusList strings);
/* Reports a construct of C that kernels cannot use here. */
void kernel_unsupported (KernelParser *parser, TokenRange range, const char *construct,
                         const char *instead);
