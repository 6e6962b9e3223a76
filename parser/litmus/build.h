#pragma once

#include "parser/litmus/syntax.h"

RspSpan rsp_litmus_span (const LitmusParser *parser, TokenRange range);
LitmusList rsp_litmus_append (LitmusParser *parser, LitmusList list, gpointer item);
LitmusList rsp_litmus_concat (LitmusParser *parser, LitmusList list, LitmusList more);

LitmusInit *rsp_litmus_init (LitmusParser *parser, TokenRange range, LitmusSpecs *specs,
                             LitmusStars stars, LitmusPlace *place);
LitmusNumber rsp_litmus_negate (LitmusParser *parser, TokenRange range, LitmusNumber number);
/* An index; an error and 0 if it is negative. */
gint64 rsp_litmus_index (LitmusParser *parser, TokenRange range, LitmusNumber index);
gint64 rsp_litmus_array_size (LitmusParser *parser, TokenRange range, LitmusNumber size);

LitmusPlace *rsp_litmus_place (LitmusParser *parser, TokenRange range, LitmusPlaceKind kind,
                               const char *name, gint64 element);
LitmusPlace *rsp_litmus_number (LitmusParser *parser, TokenRange range, LitmusNumber number);
/* A section that begins with this word and a colon: `regions`, which has no effect. */
void rsp_litmus_regions (LitmusParser *parser, TokenRange range, const char *word);
LitmusPlace *rsp_litmus_small_number (LitmusParser *parser, TokenRange range, int number);
LitmusPlace *rsp_litmus_register (LitmusParser *parser, TokenRange range, gint64 thread,
                                  const char *name);
/* `P0:r1`; anything but a thread's name before the colon is an error. */
LitmusPlace *rsp_litmus_named_register (LitmusParser *parser, TokenRange range, const char *thread,
                                        TokenRange thread_range, const char *name);
/* The number in a thread's name ("P12" is 12), or LITMUS_NONE. */
gint64 rsp_litmus_thread_number (const char *name);

LitmusParameter *rsp_litmus_parameter (LitmusParser *parser, LitmusSpecs *specs,
                                       LitmusDeclarator *declarator);
LitmusPosition *rsp_litmus_position (LitmusParser *parser, TokenRange range, const char *word,
                                     gint64 number);
LitmusThread *rsp_litmus_thread (LitmusParser *parser, TokenRange range, const char *name,
                                 LitmusList positions, LitmusList parameters, RspStatement *body,
                                 TokenRange body_range);
/* A leaf if children is NULL. */
LitmusTree *rsp_litmus_tree (LitmusParser *parser, TokenRange range, const char *word,
                             const LitmusList *children);
void rsp_litmus_set_trees (LitmusParser *parser, TokenRange range, LitmusList trees);
void rsp_litmus_set_locations (LitmusParser *parser, TokenRange range, LitmusList places);
void rsp_litmus_set_filter (LitmusParser *parser, TokenRange range, LitmusProp *prop);

LitmusProp *rsp_litmus_prop (LitmusParser *parser, TokenRange range, RspPropKind kind,
                             LitmusProp *a, LitmusProp *b);
/* `v={1,2}` */
LitmusProp *rsp_litmus_array_prop (LitmusParser *parser, TokenRange range, RspOperator op,
                                   LitmusPlace *array, LitmusList values);
/* Of `ATOMIC_INIT (1)`; another name is an error. */
void rsp_litmus_check_initialiser (LitmusParser *parser, TokenRange range, const char *name);
LitmusProp *rsp_litmus_atom (LitmusParser *parser, TokenRange range, RspOperator op,
                             LitmusPlace *left, LitmusPlace *right);
