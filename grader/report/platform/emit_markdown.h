/* emit_markdown.h: the whole report as Markdown for a person: a comment on an issue or on a merge
 * request, of which GitHub takes 65,536 characters. Nothing is folded.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_MARKDOWN_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_MARKDOWN_H

#include "report/platform/emit.h"

enum { EMIT_MARKDOWN_BYTES_MAX = 65536 };

emit_function emit_markdown;

#endif
