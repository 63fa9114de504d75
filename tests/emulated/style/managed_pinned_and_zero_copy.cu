#include <stdio.h>
#include <string.h>
__global__ void square(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= a[i]; }
__global__ void sum(const float *a, int n, float *out) { float s = 0; for (size_t i = 0; i < (size_t) n; ++i) s += a[i]; *out = s; }
int main()
{
    const int n = 50; const size_t bytes = n * sizeof(float);
    float *m = NULL, *p, *z, *dz, *w; float result, *dr;
    if (cudaMallocManaged((void**)&m, bytes) != cudaSuccess) return 1;
    cudaMallocManaged(&w, bytes, cudaMemAttachGlobal);
    cudaMallocHost((void**)&p, bytes);
    cudaHostAlloc(&z, bytes, cudaHostAllocMapped | cudaHostAllocPortable);
    cudaHostGetDevicePointer(&dz, z, 0);
    cudaMalloc(&dr, sizeof(float));
    for (int i = 0; i < n; i++) m[i] = p[i] = z[i] = i;
    memset(w, 0, bytes);
    square<<<2, 32>>>(m, n); square<<<2, 32>>>(dz, n);
    cudaDeviceSynchronize();
    printf("%.1f %.1f %.1f\n", m[49], z[7], w[3]);
    cudaMemcpy(w, p, bytes, cudaMemcpyDefault);
    sum<<<1, 1>>>(w, n, dr);
    cudaMemcpy(&result, dr, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.1f\n", result);
    cudaPointerAttributes at; cudaPointerGetAttributes(&at, m);
    printf("managed: %s\n", at.type == cudaMemoryTypeManaged ? "yes" : "no");
    float *plain = new float[n]; for (int i = 0; i < n; i++) plain[i] = 1;
    cudaHostRegister(plain, bytes, cudaHostRegisterDefault); cudaHostUnregister(plain);
    cudaFree(m); cudaFree(w); cudaFree(dr); cudaFreeHost(p); cudaFreeHost(z); delete[] plain;
    return 0;
}
/* exit status 0, findings: none
2401.0 49.0 0.0
1225.0
managed: yes
*/
