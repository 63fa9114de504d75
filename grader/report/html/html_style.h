/* html_style.h: the style sheet of the page, page.css, compiled in by CMake. */
#ifndef GPUGRADE_REPORT_HTML_STYLE_H
#define GPUGRADE_REPORT_HTML_STYLE_H

extern const char html_style[]; /* NUL-terminated */

#endif
