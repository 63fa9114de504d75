#include <stdio.h>
#include <stdlib.h>
static void HandleError( cudaError_t err, const char *file, int line ) {
    if (err != cudaSuccess) {
        printf( "%s in line %d\n", cudaGetErrorString( err ), line );
        (void)file;
        exit( EXIT_FAILURE );
    }
}
#define HANDLE_ERROR( err ) (HandleError( err, __FILE__, __LINE__ ))
#define HANDLE_NULL( a ) {if (a == NULL) { \
                            printf( "Host memory failed in %s at line %d\n", \
                                    __FILE__, __LINE__ ); \
                            exit( EXIT_FAILURE );}}

__global__ void kernel( int *p ) { *p = 42; }

int main( int argc, char **argv ) {
    int *dev, *host = (int*)malloc( sizeof(int) );
    HANDLE_NULL( host );
    HANDLE_ERROR( cudaMalloc( (void**)&dev, sizeof(int) ) );
    kernel<<<1,1>>>( dev );
    HANDLE_ERROR( cudaMemcpy( host, dev, sizeof(int), cudaMemcpyDeviceToHost ) );
    printf( "%d %d\n", *host, argc );
    HANDLE_ERROR( cudaFree( dev ) );
    kernel<<<1,2048>>>( dev );
    HANDLE_ERROR( cudaGetLastError() );
    printf( "not reached\n" );
    return 0;
}
/* exit status 1, findings: none
42 1
invalid argument in line 27
*/
