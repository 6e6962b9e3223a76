/* Symmetry: threads that run the same code at exchangeable places of the scope tree.
 *
 * Combinations of paths that differ only by exchanging such threads have the same executions except
 * for the threads' names. One of them is searched (paths of exchangeable threads in ascending
 * order); its states are then given to all, with registers renamed. */
#pragma once

#include "enumerator/search/states/tally.h"

/* class[t]: the first thread that t is exchangeable with, perhaps itself. Threads are exchangeable
 * if their code, parameters and initial registers are the same, the tree is the same with the two
 * swapped, and the states show the same registers of both. FALSE if there are none (each thread is
 * a class). */
gboolean symmetry_find (const RspProgram *program, guint *class);

/* Of two threads of the same code: does nothing but their places in the tree speak against an
 * exchange? */
gboolean symmetry_allows (const RspProgram *program, guint a, guint b);

/* Classes may be exchangeable as a whole, each thread of the one with that of the same place of the
 * other: those of work-groups that are alike. block[t], of the first thread of a class: the first
 * thread of the first class that is exchangeable with its own; of other threads a number above all
 * threads. */
void symmetry_find_blocks (const RspProgram *program, const guint *class, guint *block);

/* like[t]: the first thread whose code, parameters and initial registers are those of t. */
void symmetry_same_code (const RspProgram *program, guint *like);

/* The thread of the same class before this one, or G_MAXUINT. */
guint symmetry_previous (const guint *class, guint thread);

/* Adds to `to` the states of `from`, found for the paths chosen[t] (numbers, ascending within a
 * class), once for each different way to assign the same paths to the threads of each class;
 * incomplete if the budget is exhausted. */
void symmetry_spread (const RspProgram *program, const guint *class, const guint *chosen,
                      RspBudget *budget, const RspTally *from, RspTally *to);
