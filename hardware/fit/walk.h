/* Going through all statements and expressions of a thread, outer ones first. */
#pragma once

#include "parser/program.h"

typedef struct Walk {
  /* Either may be NULL. */
  void (*statement) (gpointer data, const RspStatement *statement);
  void (*expression) (gpointer data, const RspExpr *expression);
  gpointer data;
} Walk;

void walk_statement (const Walk *walk, const RspStatement *statement);
void walk_expression (const Walk *walk, const RspExpr *expression);
