/* sanitized.h: whether this build has a sanitizer; its shadow memory must not fall under limits of
 * memory or address space. */
#ifndef GPUGRADE_BASE_SANITIZED_H
#define GPUGRADE_BASE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

#endif
