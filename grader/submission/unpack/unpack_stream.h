/* unpack_stream.h: what the helper gpugrade-unpack writes for the grader.
 *
 *     "GPUPACK1"  record  record ...
 *     record:  kind u8 | 0 0 0 | name bytes u32 | content bytes u64 | name | content
 *
 * Numbers are little endian. The last record is UNPACK_END, or one that says why the stream is not
 * complete. The helper parses hostile bytes, so the grader does not trust the stream.
 */
#ifndef GPUGRADE_SUBMISSION_UNPACK_STREAM_H
#define GPUGRADE_SUBMISSION_UNPACK_STREAM_H

#define UNPACK_MAGIC "GPUPACK1"

enum {
    UNPACK_MAGIC_BYTES = 8,
    UNPACK_HEAD_BYTES = 16,
    UNPACK_NAME_BYTES_MAX = 4096, /* of a name as it is in the archive; the rest is cut off */
    UNPACK_TEXT_BYTES_MAX = 256,  /* of a reason */
    UNPACK_ENTRIES_MAX = 20000,   /* in an archive, including those that are left out */
};

enum unpack_kind {
    UNPACK_FILE = 1, /* content: the file */
    UNPACK_FOLDER,
    UNPACK_SYMBOLIC_LINK,
    UNPACK_HARD_LINK,
    UNPACK_SPECIAL, /* a device, a named pipe, a socket */
    UNPACK_ENCRYPTED,
    UNPACK_TOO_LARGE,   /* a file of more than INTAKE_FILE_BYTES_MAX */
    UNPACK_TOO_MUCH,    /* all files together are more than INTAKE_TREE_BYTES_MAX */
    UNPACK_TOO_MANY,    /* more than UNPACK_ENTRIES_MAX */
    UNPACK_DAMAGED,     /* content: the reason; name: of the entry, or empty */
    UNPACK_NOT_ARCHIVE, /* none of the supported formats */
    UNPACK_END,
};

#endif
