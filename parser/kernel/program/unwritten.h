#pragma once

#include "parser/program.h"

/* Marks the locations that the program's text writes nowhere as fixed. */
void kernel_mark_unwritten (RspProgram *program);
