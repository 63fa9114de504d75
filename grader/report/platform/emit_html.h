/* emit_html.h: the page of report/html, of what a score holds: no sources, no maps. */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_HTML_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_HTML_H

#include "report/platform/emit.h"

emit_function emit_html;

#endif
