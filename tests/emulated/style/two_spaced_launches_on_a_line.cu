#include <iostream>
#include <vector>
#define T 16
std::vector<std::vector<int>> nested;
template <typename U> struct Box { U u; };
__global__ void a(int *p) { p[threadIdx.x] = threadIdx.x >> 1 << 2; }
template <typename U> __global__ void b(Box<Box<U>> x, int *p) { if (p[threadIdx.x] << 1 > 8 >> 1) p[threadIdx.x] += x.u.u; }
int main() {
    int *d, h[T]; cudaMalloc(&d, sizeof(h));
    a << <1, T >> >(d); b<int> << <1, T >> >(Box<Box<int>>{{5}}, d);
    b <float><< < dim3(1, 1),
        dim3(T)
    >> > ({{2.5f}}, d); a<<<1,1>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    nested.push_back(std::vector<int>(h, h + T));
    for (int v : nested[0]) std::cout << v << (v >> 1) << " << <" << " >> >" << std::endl;
}
/* exit status 0, findings: none
00 << < >> >
00 << < >> >
115 << < >> >
115 << < >> >
157 << < >> >
157 << < >> >
199 << < >> >
199 << < >> >
2311 << < >> >
2311 << < >> >
2713 << < >> >
2713 << < >> >
3115 << < >> >
3115 << < >> >
3517 << < >> >
3517 << < >> >
*/
