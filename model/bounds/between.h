/* Least and most: what the nodes of a model's expressions contain at least and at most, if that
 * much is known of its leaves. Each node is computed once for all; the bounds of bounds.h, which
 * follow a search, are kept up to date. */
#pragma once

#include "model/model.h"

/* The leaf's bounds, to be written into empty matrices, or NULL if one is not wanted. Leaves are
 * constants, too, of which those of an open model have no value. */
typedef void (*RspBetweenLeaf) (gpointer data, RspNodeId id, RspMatrix *least, RspMatrix *most);

typedef struct RspBetween {
  const RspDag *dag;
  RspArena *arena;
  const RspMatrix *together; /* pairs that may be; NULL: all */
  gboolean is_part;          /* see rsp_between_new_part */
  guint8 *needed;            /* per node: does an axiom need it? */
  RspMatrix **least,
      **most; /* per node that is needed; least is NULL if there are upper bounds only */
} RspBetween;

/* Of n events. Which bounds are needed follows from what is asked: whether plain axioms hold, and
 * whether flags are raised. NULL if recursive definitions are not monotone. */
RspBetween *rsp_between_new (const RspStagedModel *model, guint n, RspArena *arena);
/* Upper bounds of all that axioms need, which nothing but them can be asked; a difference is
 * bounded by its left side. */
RspBetween *rsp_between_new_upper (const RspStagedModel *model, guint n, const RspMatrix *together,
                                   RspArena *arena);
/* The same where the events are a part of an execution's, of which others are not known. A sequence
 * of two relations may lead by way of these, so that only what it contains at least is known, and
 * so for closures and domains. The question is whether plain axioms fail. NULL as above. */
RspBetween *rsp_between_new_part (const RspStagedModel *model, guint n, RspArena *arena);
/* May be called again, with other bounds of the leaves. */
void rsp_between_compute (RspBetween *between, RspBetweenLeaf leaf, gpointer data);

/* Does the plain axiom hold, whatever its node contains between the bounds? Is the flag raised? */
gboolean rsp_between_holds (const RspBetween *between, const RspStagedAxiom *axiom);
gboolean rsp_between_raises (const RspBetween *between, const RspStagedAxiom *axiom);
/* Does the plain axiom fail in every execution that contains the part? */
gboolean rsp_between_fails (const RspBetween *between, const RspStagedAxiom *axiom);
