/* Models: cat files. Part of rspcheck.h. */
#ifndef RSPCHECK_MODEL_H
#define RSPCHECK_MODEL_H

#include <glib-object.h>
#include <rspcheck-enums.h>

G_BEGIN_DECLS

#define RSPCHECK_TYPE_MODEL (rspcheck_model_get_type ())
#define RSPCHECK_TYPE_AXIOM (rspcheck_axiom_get_type ())

/**
 * RspcheckModel:
 *
 * A model that was read, with all it includes.
 */
typedef struct RspcheckModel RspcheckModel;

/**
 * RspcheckAxiom:
 *
 * An axiom of a model: `acyclic`, `irreflexive` or `empty` of a set or relation.
 */
typedef struct RspcheckAxiom RspcheckAxiom;

GType rspcheck_model_get_type (void) G_GNUC_CONST;
GType rspcheck_axiom_get_type (void) G_GNUC_CONST;

/* ---- Finding and reading them ----------------------------------------------------------------- */

/**
 * rspcheck_model_directory:
 *
 * The folder of the models that were installed with the library. For rspcheck_model_load().
 *
 * Returns: (transfer none) (type filename): an absolute path
 */
const char *rspcheck_model_directory (void);

/**
 * rspcheck_model_directories:
 * @first: (nullable) (array zero-terminated=1) (element-type filename): folders to begin with
 * @test: (nullable) (type filename): the file of a test
 *
 * Where the command line looks for models, in order: `first`, the folder of the test, $RSPCHECK_LIB
 * (folders separated by colons), cat/ next to the program, and rspcheck_model_directory(). For
 * rspcheck_model_load().
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename): the folders
 */
char **rspcheck_model_directories (const char *const *first, const char *test);

/**
 * rspcheck_model_load:
 * @path: (type filename): a cat file, searched for as given and then in the directories
 * @directories: (nullable) (array zero-terminated=1) (element-type filename): folders; %NULL: those
 * of rspcheck_model_directories() without a test
 * @variants: (nullable) (array zero-terminated=1): variants to switch on (`if "name"` in the model)
 * @messages: (nullable): receives messages
 *
 * Reads a model with all it includes and checks its types.
 *
 * Returns: (transfer full) (nullable): the model, or %NULL after an error
 */
RspcheckModel *rspcheck_model_load (const char *path, const char *const *directories,
                                    const char *const *variants, GString *messages);

/**
 * rspcheck_model_ref:
 * @model: a model
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same model
 */
RspcheckModel *rspcheck_model_ref (RspcheckModel *model);

/**
 * rspcheck_model_unref:
 * @model: (nullable) (transfer full): a model
 *
 * Gives a reference back.
 */
void rspcheck_model_unref (RspcheckModel *model);

/* ---- What they say ---------------------------------------------------------------------------- */

/**
 * rspcheck_model_name:
 * @model: a model
 *
 * The model's own name, else that of its file.
 *
 * Returns: (transfer none): the name
 */
const char *rspcheck_model_name (const RspcheckModel *model);

/**
 * rspcheck_model_path:
 * @model: a model
 *
 * The file that was found.
 *
 * Returns: (transfer none) (type filename): its path
 */
const char *rspcheck_model_path (const RspcheckModel *model);

/**
 * rspcheck_model_digest:
 * @model: a model
 *
 * The hexadecimal SHA-256 of all texts that were read.
 *
 * Returns: (transfer none): the digest
 */
const char *rspcheck_model_digest (const RspcheckModel *model);

/**
 * rspcheck_model_n_axioms:
 * @model: a model
 *
 * How many axioms the model has: plain ones, those that raise flags, and what else
 * #RspcheckAxiomRole lists. Those under an `if` that the variants rule out are left out; an axiom
 * in a procedure counts once however often it is called.
 *
 * Returns: the number of axioms
 */
guint rspcheck_model_n_axioms (const RspcheckModel *model);

/**
 * rspcheck_model_axiom:
 * @model: a model
 * @i: an index below rspcheck_model_n_axioms()
 *
 * Axiom number i, in the model's order.
 *
 * Returns: (transfer full) (nullable): the axiom
 */
RspcheckAxiom *rspcheck_model_axiom (const RspcheckModel *model, guint i);

/**
 * rspcheck_model_flags:
 * @model: a model
 *
 * Names of the flags that the model can raise, each once, in its order.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names
 */
char **rspcheck_model_flags (const RspcheckModel *model);

/**
 * rspcheck_model_warn:
 * @model: a model
 * @messages: (nullable): receives messages
 *
 * Looks for what is right by the model's types and hardly what its author means: no axiom at all,
 * two of one name, a definition that nothing uses, one that is empty whatever the test. The command
 * line does so for each model that is given.
 *
 * Returns: how many warnings there are
 */
guint rspcheck_model_warn (const RspcheckModel *model, GString *messages);

/* ---- Axioms ------------------------------------------------------------------------ */

/**
 * rspcheck_axiom_ref:
 * @axiom: an axiom
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same axiom
 */
RspcheckAxiom *rspcheck_axiom_ref (RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_unref:
 * @axiom: (nullable) (transfer full): an axiom
 *
 * Gives a reference back.
 */
void rspcheck_axiom_unref (RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_name:
 * @axiom: an axiom
 *
 * What `as` calls it, else "line 7 of my.cat": the same as in explanations, and what
 * rspcheck_options_skip() takes.
 *
 * Returns: (transfer none): the name
 */
const char *rspcheck_axiom_name (const RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_flag:
 * @axiom: an axiom
 *
 * Returns: (transfer none) (nullable): the name of the flag that it raises, if any
 */
const char *rspcheck_axiom_flag (const RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_kind:
 * @axiom: an axiom
 *
 * Returns: what it demands
 */
RspcheckAxiomKind rspcheck_axiom_kind (const RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_role:
 * @axiom: an axiom
 *
 * Returns: what follows for an execution that fails it
 */
RspcheckAxiomRole rspcheck_axiom_role (const RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_is_negated:
 * @axiom: an axiom
 *
 * Returns: whether it demands the contrary (`~empty r`)
 */
gboolean rspcheck_axiom_is_negated (const RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_expression:
 * @axiom: an axiom
 *
 * The set or relation that is checked, as the model has it.
 *
 * Returns: (transfer none): an expression of cat
 */
const char *rspcheck_axiom_expression (const RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_file:
 * @axiom: an axiom
 *
 * Returns: (transfer none) (type filename): the file that has it
 */
const char *rspcheck_axiom_file (const RspcheckAxiom *axiom);

/**
 * rspcheck_axiom_line:
 * @axiom: an axiom
 *
 * Returns: its line in that file, from 1
 */
guint rspcheck_axiom_line (const RspcheckAxiom *axiom);

/* As this was called before models were counted. */
#define rspcheck_model_free rspcheck_model_unref

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckModel, rspcheck_model_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckAxiom, rspcheck_axiom_unref)

G_END_DECLS

#endif
