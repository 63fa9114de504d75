#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct Node { int value; Node *next; __device__ Node(int v, Node *n) : value(v), next(n) {} };
__device__ char *buffer[4];
__global__ void build(int *out) {
    Node *head = NULL; int s = 0;
    for (int i = 0; i < 5; i++) head = new Node(i * (threadIdx.x + 1), head);
    while (head != nullptr) { Node *n = head->next; s += head->value; delete head; head = n; }
    int *a = (int *)malloc(8 * sizeof(int)); if (a == NULL) return;
    memset(a, 0, 8 * sizeof(int)); a[3] = s; int *b = new int[8]; memcpy(b, a, 8 * sizeof(int));
    out[threadIdx.x] = b[3] + b[7]; free(a); delete[] b;
    buffer[threadIdx.x] = (char *)malloc(16); buffer[threadIdx.x][0] = 'a' + threadIdx.x;
}
__global__ void release(int *out) { out[threadIdx.x] += buffer[threadIdx.x][0]; free(buffer[threadIdx.x]); }
int main(void) {
    int *d, h[4]; cudaMalloc((void **)&d, sizeof(h));
    build<<<1, 4>>>(d); release<<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]); return 0;
}
/* exit status 0, findings: none
107 118 129 140
*/
