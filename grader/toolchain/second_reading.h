/* second_reading.h: where nvcc refuses sources, a clang on the same machine reads them too, and the
 * better words are shown (better_messages.h).
 *
 * The build is nvcc's: whether it failed, how and what for stays as it is. clang reads in the
 * sandbox, under the limits of a compiler. If it is missing, reaches a limit, crashes or refuses an
 * option, nvcc's words are shown, and neither the machine nor the student is blamed for that.
 *
 * What clang says is kept like a build (build_cache.h). The key is that of nvcc's build and what
 * decides what clang says: another clang reads again, and nvcc is not asked again.
 */
#ifndef GPUGRADE_TOOLCHAIN_SECOND_READING_H
#define GPUGRADE_TOOLCHAIN_SECOND_READING_H

#include "toolchain/build_job.h"

/* Changes the errors in job->build.messages, which were read at `place`, for better ones, if nvcc's
 * front end reported some and the toolchain has a second compiler. Messages live in `arena`. */
void second_reading_use(struct toolchain_job *job, const struct build_place *place,
                        struct arena *arena);

#endif
