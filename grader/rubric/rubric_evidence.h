/* rubric_evidence.h: hashes of everything that decides what is run and observed, and the files of a
 * rubric in one text. Private to rubric/.
 *
 * Two rubrics with equal hashes differ at most in points, words and policies: results that were
 * obtained with one of them can be marked by the other, and nothing has to run again.
 *
 *   {"schema": "gpugrade/rubric-files/v1", "is_named": true,
 *    "files": [{"path": "autumn.json", "text": "..."}, {"path": "base.json", "text": "..."}]}
 *
 * and "folder" if the coursework is not one of gpugrade's: the folder that contains its reference/.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_EVIDENCE_H
#define GPUGRADE_RUBRIC_RUBRIC_EVIDENCE_H

#include "rubric/rubric_overlay.h"

/* Fills the rubric's evidence_sha256 and secret_sha256, and evidence_sha256 of its criteria. The
 * whole rubric must have been read; `root` is the merged tree. */
void rubric_hash_evidence(struct rubric_reader *reader, const cJSON *root);

/* Fills the rubric's whole_text from the files of the chain as they were read. The rubric's folders
 * must be known. */
void rubric_keep_text(struct arena *arena, const struct rubric_chain *chain, struct rubric *rubric);

/* True if the text was made by rubric_keep_text from several files. */
bool rubric_is_bundle(const cJSON *root);

/* Reads `first`, which is such a text, into the chain of its files. Errors: ERROR_SYNTAX, also for
 * mistakes in its files. */
enum error rubric_bundle_read(struct arena *arena, struct rubric_file first,
                              struct rubric_chain *out_chain, struct diagnostic *diagnostic);

#endif
