/* header_folder.h: where clang sees our headers, wherever they lie: precompiled headers and line
 * tables hold this path. */
#ifndef GPUGRADE_BASE_HEADER_FOLDER_H
#define GPUGRADE_BASE_HEADER_FOLDER_H

#define CLANG_HEADERS "/gpugrade/cuda_headers"

#endif
