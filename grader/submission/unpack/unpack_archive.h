/* unpack_archive.h: the helper's side of an archive: libarchive in, records out.
 *
 * Formats: zip, and tar (all its dialects) plain or in gzip, bzip2, xz or zstd. Nothing is judged
 * here but what would cost time or space: hidden entries have no content, and the limits of
 * intake_list.h end it early.
 */
#ifndef GPUGRADE_SUBMISSION_UNPACK_ARCHIVE_H
#define GPUGRADE_SUBMISSION_UNPACK_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

/* Where the stream goes. */
struct unpack_output {
    bool (*write)(void *context, const void *bytes, size_t length); /* false: nobody takes it */
    void *context;
};

/* Writes the whole stream (unpack_stream.h) for an archive; false if the output failed. Names are
 * in UTF-8 where the archive says how; those of a zip that does not say are taken as they are if
 * they are UTF-8, else as code page 437, which is what the zip format says. */
bool unpack_archive(const void *bytes, size_t length, const struct unpack_output *output);

#endif
