/* message_reader.h: what the readers of messages share; compiler_messages.c lists the forms. */
#ifndef GPUGRADE_TOOLCHAIN_MESSAGE_READER_H
#define GPUGRADE_TOOLCHAIN_MESSAGE_READER_H

#include "toolchain/toolchain.h"

/* A part of the compiler's output. */
struct slice {
    const char *bytes;
    size_t length;
};

/* Where the lines of a file are. */
struct message_text {
    struct slice text;
    uint32_t *line_ends; /* [(text.length >> 12) + 1] ends of lines before each 4 KiB of it */
    int last_line;       /* the last one that is not blank */
};

struct message_reader {
    struct arena *arena;
    struct slice rest; /* what follows the current line */
    const struct message_sources *sources;
    struct slice include_file; /* the submission's file that included what comes next */
    int include_line;          /* 0: none */
    struct tool_message *messages;
    size_t count, capacity;
    struct slice compiled_in; /* the next place that names the compiled file; see compiled_file */
    struct message_text **texts; /* [text_count] of the files that messages were about, the most
                                     recently used first */
    size_t text_count, text_capacity;
};

struct slice slice_of(const char *string);
struct slice slice_from(struct slice slice, size_t start);
struct slice slice_trimmed(struct slice slice); /* without blanks at both ends */
bool slice_starts_with(struct slice slice, const char *word);

/* Position of the first occurrence of a word, or SIZE_MAX. */
size_t slice_find(struct slice slice, const char *word);

/* Takes a decimal number from the front; false if there is none or it is absurdly large. */
bool slice_take_number(struct slice *slice, int *out_number);

/* Takes the next line, without its end; false at the end of the text. */
bool slice_take_line(struct slice *rest, struct slice *out_line);

/* Takes "error", "fatal error", "warning #940-D" and the like with the colon after it. */
bool slice_take_severity(struct slice *slice, bool *out_is_error);

/* A file as messages name it, relative to the submission if it lies there. */
const char *message_file(const struct message_reader *reader, struct slice file);

/* False for a system's header, and for what is no file, "<built-in>". */
bool message_file_is_own(const char *file);

/* A line of a file of the submission, without its end; false if it is not known, or too long: to
 * find a column, the whole line is read for each message. */
bool message_source_line(struct message_reader *reader, const char *file, int line,
                         struct slice *out_line);

/* The last line that is not blank; 0 if the file is not known. */
int message_last_line(struct message_reader *reader, const char *file);

/* Adds a message without line and column. */
struct tool_message *message_add(struct message_reader *reader, bool is_error, const char *file,
                                 struct slice text);

/* A place that a message is about, in front of it: FILE:LINE: or FILE:LINE:COLUMN: */
struct message_head {
    struct slice file;
    int line, column; /* the column is 0 if there is none */
    enum { HEAD_ERROR, HEAD_WARNING, HEAD_NOTE } kind;
    struct slice text; /* what follows */
};

/* Reads FILE:LINE:COLUMN: error: TEXT, also with "warning", "note" and the like; false if the line
 * is something else. */
bool message_take_head(struct slice line, struct message_head *out_head);

/* Reads "In file included from FILE:LINE" and the like, and keeps the last place in the submission;
 * false if the line is something else. */
bool read_include_chain(struct message_reader *reader, struct slice line);

/* A change of one line that a compiler proposes. */
struct source_edit {
    const char *file;
    int line, from, to; /* columns from 1 in bytes; `to` is the one after the change */
    struct slice text;  /* takes their place */
};

/* Adds a change to the fixes of a message. False if it fits no line of the submission, or not the
 * changes that are there, or if what it would give cannot be shown; nothing changes then. */
bool line_fix_add(struct message_reader *reader, struct tool_message *message,
                  const struct source_edit *edit);

/* Makes the fix of an error at a character that only looks like one of C++, such as a typographic
 * quote: all such characters of its line become what they look like. An unknown column becomes that
 * of the first. In line_fixes.c. */
void fix_look_alikes(struct message_reader *reader, struct tool_message *error);

/* The column in `source`, from 1 and in bytes, of the text at character `caret` of the line that
 * nvcc's front end shows, in which macros are expanded and comments are blank; 0 if it is not
 * certain. In caret_column.c. */
int caret_column(struct arena *arena, struct slice shown, size_t caret, struct slice source);

/* One form of message each: true if the line was one. */
bool read_front_end_message(struct message_reader *reader, struct slice line);
bool read_host_compiler_message(struct message_reader *reader, struct slice line);
bool read_clang_message(struct message_reader *reader, struct slice line);
bool read_assembler_message(struct message_reader *reader, struct slice line);
bool read_linker_message(struct message_reader *reader, struct slice line);

#endif
