#pragma once

#include "enumerator/search/bounded/searcher.h"

/* Called when everything is decided: judges the execution under the whole model, or passes it to
 * the search's leaf. */
void leaf_judge (Searcher *s);
