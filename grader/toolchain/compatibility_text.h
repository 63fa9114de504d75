/* compatibility_text.h: compatibility.cuh as text, compiled in. It is written next to each build
 * that needs it, so no installed folder has to be found. */
#ifndef GPUGRADE_TOOLCHAIN_COMPATIBILITY_TEXT_H
#define GPUGRADE_TOOLCHAIN_COMPATIBILITY_TEXT_H

extern const char compatibility_text[];

/* The prefix that the header gives to the names of the toolkit that it replaces. */
#define COMPATIBILITY_PREFIX "gpugrade_"

#endif
