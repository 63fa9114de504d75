// vector add, lab 1
#include <stdio.h>
#include <stdlib.h>
#define N 100
#define LAUNCH(k, g, b, ...) k << < g, b >> > (__VA_ARGS__)
#define RUN(k) k <<< 1, 1 >>>

__global__ void add( int *a, int *b, int *c ) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ( i < N ) c[i] = a[i] + b[i];
}
__global__ void twice(int* c, int n) { for (int i = 0; i < n; i++) c[i] = c[i] << 1 >> 0; }

int main( void ) {
    int a[N], b[N], c[N];
    int *dev_a, *dev_b, *dev_c;
    cudaMalloc( (void**)&dev_a, N * sizeof(int) );
    cudaMalloc( (void**)&dev_b, N * sizeof(int) );
    cudaMalloc( (void**)&dev_c, N * sizeof(int) );
    for (int i=0; i<N; i++) { a[i] = -i; b[i] = i * i; }
    cudaMemcpy( dev_a, a, N * sizeof(int), cudaMemcpyHostToDevice );
    cudaMemcpy( dev_b, b, N * sizeof(int), cudaMemcpyHostToDevice );
    add << <(N + 31) / 32, 32 >> >( dev_a, dev_b, dev_c );
    LAUNCH(twice, 1, 1, dev_c, N);
    RUN(twice)(dev_c, 3);
    LAUNCH(add, dim3(4), dim3(32, 1, 1), dev_a, dev_c, dev_c);
    cudaMemcpy( c, dev_c, N * sizeof(int), cudaMemcpyDeviceToHost );
    for (int i=0; i<N; i+=9) printf( "%d + %d = %d\n", a[i], b[i], c[i] );
    cudaFree( dev_a ); cudaFree( dev_b ); cudaFree( dev_c );
    return 0;
}
/* exit status 0, findings: none
0 + 0 = 0
-9 + 81 = 135
-18 + 324 = 594
-27 + 729 = 1377
-36 + 1296 = 2484
-45 + 2025 = 3915
-54 + 2916 = 5670
-63 + 3969 = 7749
-72 + 5184 = 10152
-81 + 6561 = 12879
-90 + 8100 = 15930
-99 + 9801 = 19305
*/
