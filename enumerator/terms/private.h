/* What the files behind term.h share. */
#ifndef RSP_ENUMERATOR_TERMS_PRIVATE_H
#define RSP_ENUMERATOR_TERMS_PRIVATE_H

#include "enumerator/terms/term.h"

#endif
