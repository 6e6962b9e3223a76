#pragma once

#include "enumerator/search/search.h"

/* The orders of a set of events that an execution may choose, for the naive engine. */
typedef struct Orders {
  RspSearch *search;
  const RspMatrix *set;
  RspMatrix *placed;        /* events of the set that come first, in the order that `order` has */
  const RspMatrix *related; /* NULL: all total orders; else all partial orders (transitive and
                             * irreflexive) that relate these pairs, one way or the other */
  RspMatrix *order;         /* the pairs are added here, and removed in the end */
  void (*visit) (gpointer data);
  gpointer data;
} Orders;

/* Calls visit with each of them. */
void orders_each (const Orders *orders);
