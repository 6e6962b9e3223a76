/* Mirror images: combinations of paths that differ only by exchanging threads that neither the
 * program nor the outcome in question distinguishes. What is known about one holds for the
 * other. */
#pragma once

#include "enumerator/search/query/collected.h"

typedef struct Mirrors
{
  guint *image;    /* per combination: the first one that it is an image of, perhaps itself */
  guint *n_images; /* per combination that is its own image: the number of its images; else 0 */
} Mirrors;

/* Every combination is its own image. */
void mirrors_open (Mirrors *mirrors, const RspCombinations *combinations);
void mirrors_close (Mirrors *mirrors);
void mirrors_find (Mirrors *mirrors, const RspProgram *program, const RspProp *outcome,
                   const RspCombinations *combinations);
