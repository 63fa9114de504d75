/* class_assets.h: class_page.css and class_page.js, compiled in by CMake. */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_ASSETS_H
#define GPUGRADE_REPORT_CLASS_CLASS_ASSETS_H

extern const char class_style[];  /* NUL-terminated; follows html_style in the page */
extern const char class_script[]; /* NUL-terminated */

#endif
