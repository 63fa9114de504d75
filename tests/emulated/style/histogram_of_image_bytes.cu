#include <stdio.h>
#include <stdlib.h>
#define SIZE (16*1024)
typedef unsigned char uchar;
void* big_random_block( int size ) { uchar *data = (uchar*)malloc( size ); for (int i=0; i<size; i++) data[i] = (i * 31 + i / 7) & 255; return data; }
__global__ void histo_kernel( unsigned char *buffer, long size, unsigned int *histo ) {
    __shared__  unsigned int temp[256];
    temp[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
    while (i < size) { atomicAdd( &temp[buffer[i]], 1 ); i += stride; }
    __syncthreads();
    atomicAdd( &(histo[threadIdx.x]), temp[threadIdx.x] );
}
int main( void ) {
    unsigned char *buffer = (unsigned char*)big_random_block( SIZE ), *dev_buffer; unsigned int histo[256], *dev_histo;
    cudaDeviceProp prop; cudaGetDeviceProperties( &prop, 0 );
    cudaMalloc( (void**)&dev_buffer, SIZE ); cudaMalloc( (void**)&dev_histo, 256 * sizeof( int ) );
    cudaMemcpy( dev_buffer, buffer, SIZE, cudaMemcpyHostToDevice ); cudaMemset( dev_histo, 0, 256 * sizeof( int ) );
    histo_kernel<<<4,256>>>( dev_buffer, SIZE, dev_histo );
    cudaMemcpy( histo, dev_histo, 256 * sizeof( int ), cudaMemcpyDeviceToHost );
    long histoCount = 0; for (int i=0; i<256; i++) histoCount += histo[i];
    printf( "Histogram Sum:  %ld\n", histoCount );
    for (int i=0; i<SIZE; i++) histo[buffer[i]]--;
    for (int i=0; i<256; i++) if (histo[i] != 0) printf( "Failure at %d!\n", i );
    free( buffer ); return 0;
}
/* exit status 0, findings: none
Histogram Sum:  16384
*/
