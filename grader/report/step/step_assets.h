/* step_assets.h: step_page.css and step_page.js, compiled in by CMake. */
#ifndef GPUGRADE_REPORT_STEP_STEP_ASSETS_H
#define GPUGRADE_REPORT_STEP_STEP_ASSETS_H

extern const char step_style[];  /* NUL-terminated; follows html_style in the page */
extern const char step_script[]; /* NUL-terminated */

#endif
