#include <stdio.h>
#include <stdlib.h>
#include <iso646.h>
static int failures, n = 10;
__device__ int collatz(int x)
{
	int steps = 0;
again:
	if (x == 1) goto done;
	x = x & 1 ? 3 * x + 1 : x / 2, steps++;
	goto again;
done:
	return steps;
}
__global__ void k(int *o, int n)
{
	int i = threadIdx.x, j, unused, n2 = n;
	int sum = 0;
	for (i = 0, j = n - 1; i < j; i++, j--) { int i = j; sum += i; { float i = 1.5f; sum += (int) i; } }
	switch (n2) {
	case 10: o[0] = sum;	/* fall through */
	case 11: o[1] = collatz(27); break;
	default: o[1] = -1;
	}
	if (n > 3 and not (n == 5) or n xor 1) o[2] = compl n bitand 0xff;
	o[3] = (i = 5, i + 1), o[4] = (int) 3.99 + int(2.5) + (char) 65 + !!n - -n;
	char c = 'a' + 1; o[5] = c; o[6] = "hello"[1]; o[7] = sizeof(o) + 2[o];
	;;;
}
int
main (void)
{
	int *d = 0, h[8], rc;
	if ((rc = cudaMalloc ((void **) &d, sizeof h)) != 0) goto Error;
	k <<< 1, 1 >>> (d, n);
	if (cudaMemcpy (h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) { fprintf (stderr, "memcpy\n"); goto Error; }
	for (rc = 0; rc < 8; rc++) printf ("%d%c", h[rc], rc == 7 ? '\n' : ' ');
	failures = 0;
Error:
	cudaFree (d);
	if (failures) exit (1);
}
/* exit status 0, findings: none
40 111 245 6 81 98 101 253
*/
