#pragma once

#include "parser/columns/resolve.h"

/* Declares the locations of the initial state and their aliases, and sets their values. */
void columns_initialise_memory (ColumnsResolver *r);
void columns_initialise_registers (ColumnsResolver *r, guint thread);
