/* text.h: a growing string, and small functions on strings.
 *
 * `struct text` always holds a NUL-terminated string, also when empty, so `text.bytes` can be
 * passed on directly. The same object serves for raw bytes (a captured output): then `length`
 * counts, and NUL bytes may occur inside.
 */
#ifndef GPUGRADE_BASE_TEXT_H
#define GPUGRADE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *bytes; /* [length + 1], the last one NUL; owned */
    size_t length;
    size_t capacity;
};

void text_init(struct text *text);
void text_release(struct text *text); /* NULL is accepted */
void text_clear(struct text *text);   /* keeps the memory */

void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const void *bytes, size_t length);
void text_append_char(struct text *text, char c);
void text_append_repeated(struct text *text, char c, size_t count);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends `string` made safe for a terminal and for the log of a CI service: control characters
 * (escape included), DEL, C1 controls, characters that text_is_deceptive() knows, more than four
 * combining marks in a row, the bracket of "##[" (which starts a command of GitHub's runner
 * anywhere in a line) and invalid UTF-8 appear as \xNN; newlines and tabs are kept if `keep_lines`,
 * then a line after a newline is not a command either (text_command_start). */
void text_append_printable(struct text *text, const char *bytes, size_t length, bool keep_lines);

/* Index of the "::" by which a line that starts with these bytes is a command to GitHub's runner,
 * which passes over blanks, also those that are not ASCII; `length` if it is none. */
size_t text_command_start(const char *bytes, size_t length);

/* True if the bytes are well-formed UTF-8 (RFC 3629) without NUL. */
bool text_is_utf8(const char *bytes, size_t length);

/* Length of the well-formed UTF-8 character at the start of the bytes; 0 if there is none. */
size_t text_character(const char *bytes, size_t length, uint32_t *out_character);

/* True for a character that is invisible or reorders the text around it: bidirectional controls,
 * joiners, fillers, line separators, tags, non-characters (Unicode 15). */
bool text_is_deceptive(uint32_t character);

/* The string, or the empty one for NULL. */
const char *text_or_empty(const char *string);

bool text_starts_with(const char *string, const char *prefix);
bool text_ends_with(const char *string, const char *suffix);

/* Reads a whole string as a decimal integer within [minimum, maximum]; false if it is not one. */
bool text_to_integer(const char *string, long long minimum, long long maximum, long long *out);

#endif
