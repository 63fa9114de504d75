/* rubric_evidence.h: hashes of what decides what is run and seen, and the files of a rubric in one
 * text. Private to rubric/.
 *
 * Two rubrics of equal hashes differ at most in points, words and policies: what was seen under one
 * of them is worth what the other says, and nothing need run again.
 *
 *   {"schema": "gpugrade/rubric-files/v1", "is_named": true,
 *    "files": [{"path": "autumn.json", "text": "..."}, {"path": "base.json", "text": "..."}]}
 *
 * with "folder" where the coursework is not gpugrade's: the one that holds its reference/.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_EVIDENCE_H
#define GPUGRADE_RUBRIC_RUBRIC_EVIDENCE_H

#include "rubric/rubric_overlay.h"

/* Fills the rubric's evidence_sha256 and secret_sha256, and evidence_sha256 of its criteria; all
 * has been read, and `root` is the merged tree. */
void rubric_hash_evidence(struct rubric_reader *reader, const cJSON *root);

/* Fills the rubric's whole_text from the files of the chain as they were read; its folders are
 * known. */
void rubric_keep_text(struct arena *arena, const struct rubric_chain *chain, struct rubric *rubric);

/* True if the text is one that rubric_keep_text has made of several files. */
bool rubric_is_bundle(const cJSON *root);

/* Reads such a text, which `first` is, into the chain of its files. Errors: ERROR_SYNTAX, also of
 * its files. */
enum error rubric_bundle_read(struct arena *arena, struct rubric_file first,
                              struct rubric_chain *out_chain, struct diagnostic *diagnostic);

#endif
