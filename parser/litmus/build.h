#ifndef RSP_PARSER_LITMUS_BUILD_H
#define RSP_PARSER_LITMUS_BUILD_H

#include "parser/litmus/syntax.h"

RspSpan litmus_span (const LitmusParser *parser, LitmusRange range);
LitmusList litmus_append (LitmusParser *parser, LitmusList list, gpointer item);
LitmusList litmus_concat (LitmusParser *parser, LitmusList list, LitmusList more);

LitmusInit *litmus_init (LitmusParser *parser, LitmusRange range, LitmusSpecs *specs,
                         LitmusStars stars, LitmusPlace *place);
LitmusNumber litmus_negate (LitmusNumber number);
/* An index; an error and 0 where it is negative. */
gint64 litmus_index (LitmusParser *parser, LitmusRange range, LitmusNumber index);
gint64 litmus_array_size (LitmusParser *parser, LitmusRange range, LitmusNumber size);

LitmusPlace *litmus_place (LitmusParser *parser, LitmusRange range, LitmusPlaceKind kind,
                           const char *name, gint64 element);
LitmusPlace *litmus_number (LitmusParser *parser, LitmusRange range, LitmusNumber number);
LitmusPlace *litmus_small_number (LitmusParser *parser, LitmusRange range, int number);
LitmusPlace *litmus_register (LitmusParser *parser, LitmusRange range, gint64 thread,
                              const char *name);
/* `P0:r1`; anything but a thread's name before the colon is an error. */
LitmusPlace *litmus_named_register (LitmusParser *parser, LitmusRange range, const char *thread,
                                    LitmusRange thread_range, const char *name);
/* The number in a thread's name ("P12" is 12), or LITMUS_NONE. */
gint64 litmus_thread_number (const char *name);

LitmusParameter *litmus_parameter (LitmusParser *parser, LitmusSpecs *specs,
                                   LitmusDeclarator *declarator);
LitmusPosition *litmus_position (LitmusParser *parser, LitmusRange range, const char *word,
                                 gint64 number);
LitmusThread *litmus_thread (LitmusParser *parser, LitmusRange range, const char *name,
                             LitmusList positions, LitmusList parameters, RspStatement *body,
                             LitmusRange body_range);
/* children NULL: a leaf. */
LitmusTree *litmus_tree (LitmusParser *parser, LitmusRange range, const char *word,
                         const LitmusList *children);
void litmus_set_trees (LitmusParser *parser, LitmusRange range, LitmusList trees);
void litmus_set_locations (LitmusParser *parser, LitmusRange range, LitmusList places);
void litmus_set_filter (LitmusParser *parser, LitmusRange range, LitmusProp *prop);

LitmusProp *litmus_prop (LitmusParser *parser, LitmusRange range, RspPropKind kind, LitmusProp *a,
                         LitmusProp *b);
LitmusProp *litmus_atom (LitmusParser *parser, LitmusRange range, RspOperator op, LitmusPlace *left,
                         LitmusPlace *right);

#endif
