#include <cstdio>
#include <cstring>
struct Sphere { float x, y, z, radius; int material; };
struct Camera { float3 eye; float fov; };
#define SPHERES 8
__constant__ Sphere spheres[SPHERES];
__constant__ Camera camera;
__constant__ float weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
__constant__ int limit = 3;
static __constant__ double scale;
__device__ int hits;
__device__ float table[SPHERES];
__global__ void trace(float *out)
{
    static __shared__ float partial[SPHERES];
    int i = threadIdx.x;
    const Sphere &s = spheres[i];
    float d = s.x - camera.eye.x;
    partial[i] = d * d + s.radius * weights[i % 3][(i + 1) % 3];
    __syncthreads();
    out[i] = partial[SPHERES - 1 - i] * (float)scale + camera.fov;
    table[i] = out[i];
    if (s.material < limit) atomicAdd(&hits, 1);
}
int main()
{
    Sphere h[SPHERES];
    memset(h, 0, sizeof(h));
    for (int i = 0; i < SPHERES; ++i) { h[i].x = i; h[i].radius = 1 + i; h[i].material = i; }
    cudaMemcpyToSymbol(spheres, h, sizeof(Sphere) * SPHERES);
    h[2].x = 20;
    cudaMemcpyToSymbol(spheres, &h[2], sizeof(Sphere), 2 * sizeof(Sphere), cudaMemcpyHostToDevice);
    Camera c = {make_float3(1, 2, 3), 0.25f};
    cudaMemcpyToSymbol(camera, &c, sizeof c);
    double two = 2;
    cudaMemcpyToSymbol(scale, &two, sizeof(double));
    float *d, out[SPHERES], back[SPHERES];
    cudaMalloc(&d, sizeof out);
    trace<<<1, SPHERES>>>(d);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    int n = 0;
    cudaMemcpyFromSymbol(&n, hits, sizeof n);
    cudaMemcpyFromSymbol(back, table, sizeof back, 0, cudaMemcpyDeviceToHost);
    void *address = NULL; size_t size = 0;
    cudaGetSymbolAddress(&address, table); cudaGetSymbolSize(&size, table);
    for (int i = 0; i < SPHERES; i++) printf("%g/%g ", out[i], back[i]);
    printf("\n%d %zu %d\n", n, size, address != NULL);
}

/* exit status 0, findings: none
104.25/104.25 78.25/78.25 44.25/44.25 38.25/38.25 24.25/24.25 728.25/728.25 8.25/8.25 6.25/6.25 
3 32 1
*/
