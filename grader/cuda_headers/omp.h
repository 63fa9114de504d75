/* omp.h: calls of OpenMP on the host, for a clang that has no header of it and cannot read gcc's.
 * They are linked only where a coursework's options name a library of OpenMP. */
#ifndef GPUGRADE_CUDA_HEADERS_OMP_H
#define GPUGRADE_CUDA_HEADERS_OMP_H

#ifdef __cplusplus
extern "C" {
#endif
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_num_threads(int threads);
void omp_set_dynamic(int is_dynamic);
void omp_set_nested(int is_nested);
#ifdef __cplusplus
}
#endif

#endif
