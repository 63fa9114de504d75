/* compatibility_text.h: compatibility.cuh as text, compiled in: it is written beside each build
 * that needs it, so that no installed folder must be found. */
#ifndef GPUGRADE_TOOLCHAIN_COMPATIBILITY_TEXT_H
#define GPUGRADE_TOOLCHAIN_COMPATIBILITY_TEXT_H

extern const char compatibility_text[];

/* What the header puts before names of the toolkit that it replaces. */
#define COMPATIBILITY_PREFIX "gpugrade_"

#endif
