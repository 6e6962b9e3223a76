/* Mirror images: combinations of paths that differ only by exchanging threads which neither the program
 * nor the outcome in question tells apart. What is known of one holds of the other. */
#ifndef RSP_ENUMERATOR_SEARCH_QUERY_MIRROR_H
#define RSP_ENUMERATOR_SEARCH_QUERY_MIRROR_H

#include "enumerator/search/combinations.h"

typedef struct Mirrors
{
  guint *image;    /* per combination: the first one that it is an image of, itself included */
  guint *n_images; /* per combination that is its own image: how many have it; else 0 */
} Mirrors;

/* Each is its own image. */
void mirrors_open (Mirrors *mirrors, const RspCombinations *combinations);
void mirrors_close (Mirrors *mirrors);
void mirrors_find (Mirrors *mirrors, const RspProgram *program, const RspProp *outcome,
                   const RspCombinations *combinations);

#endif
