/* What the files behind term.h share. */
#ifndef RSP_ENUMERATOR_VALUES_TERM_PRIVATE_H
#define RSP_ENUMERATOR_VALUES_TERM_PRIVATE_H

#include "enumerator/values/term.h"

#endif
