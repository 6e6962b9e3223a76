/* Mirror images: combinations of paths that differ only by exchanging threads which neither the program
 * nor the outcome in question tells apart. What is known of one holds of the other. */
#ifndef RSP_ENUMERATOR_SEARCH_QUERY_MIRROR_H
#define RSP_ENUMERATOR_SEARCH_QUERY_MIRROR_H

#include "enumerator/search/combinations.h"

/* image[i]: the first of the combinations that combination i is an image of, itself included.
 * outcome: NULL stands for any. */
void mirror_find (const RspProgram *program, const RspProp *outcome,
                  const RspCombinations *combinations, guint *image);

#endif
