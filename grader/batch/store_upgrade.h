/* store_upgrade.h: the versions of a store's schema.
 *
 * Version n is the result of the first n steps on an empty file; `PRAGMA user_version` is n. A step
 * is never changed once stores exist that were made with it: a new version adds another step.
 */
#ifndef GPUGRADE_BATCH_STORE_UPGRADE_H
#define GPUGRADE_BATCH_STORE_UPGRADE_H

#include "batch/store.h"

enum { STORE_APPLICATION = 0x67706772 }; /* PRAGMA application_id: "gpgr" */

/* The steps: [store_step_count] SQL. */
extern const char *const store_steps[];
extern const size_t store_step_count;

/* The version of the schema; 0: the file is empty. Errors: ERROR_SYNTAX (the database of another
 * program), and those of a damaged file. */
enum error store_version(struct store *store, int *out_version, struct diagnostic *diagnostic);

/* Brings an open file to version `step_count`, all steps in one transaction. Errors:
 * ERROR_UNSUPPORTED (it has a later version). */
enum error store_upgrade(struct store *store, const char *const *steps, size_t step_count,
                         struct diagnostic *diagnostic);

#endif
