/* unpack_archive.h: the helper's side of unpacking: reads an archive with libarchive, writes
 * records.
 *
 * Formats: zip, and tar (all its dialects) plain or in gzip, bzip2, xz or zstd. It checks only what
 * would cost time or space: hidden entries get no content, and the limits of intake_list.h end it
 * early.
 */
#ifndef GPUGRADE_SUBMISSION_UNPACK_ARCHIVE_H
#define GPUGRADE_SUBMISSION_UNPACK_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

/* Where the stream goes. */
struct unpack_output {
    bool (*write)(void *context, const void *bytes, size_t length); /* false: it failed */
    void *context;
};

/* Writes the whole stream (unpack_stream.h) for an archive; false if the output failed. Names
 * become UTF-8 if the archive gives their encoding. Names of a zip without an encoding are kept if
 * they are UTF-8, and otherwise read as code page 437, which the zip format prescribes. */
bool unpack_archive(const void *bytes, size_t length, const struct unpack_output *output);

#endif
