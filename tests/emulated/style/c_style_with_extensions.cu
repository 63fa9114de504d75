/* Plain C with GNU's extensions, renamed to .cu */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <sys/time.h>
#include <unistd.h>
#include <time.h>
#include <float.h>
typedef struct matrix { int rows, cols; float *data; } Matrix;
struct config { int width; int height; const char *name; };
typedef enum { RED, GREEN, BLUE } colour_t;
static double seconds (void) { struct timeval tv; gettimeofday (&tv, NULL); return tv.tv_sec + tv.tv_usec * 1e-6; }
__global__ void
addMat (Matrix a, Matrix b, Matrix c)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < a.rows && col < a.cols) c.data [row * a.cols + col] = a.data [row * a.cols + col] + b.data [row * a.cols + col];
}
static Matrix new_matrix (int r, int c, bool on_device) { Matrix m = { .rows = r, .cols = c, .data = NULL }; size_t bytes = (size_t) r * c * sizeof (float); if (on_device) cudaMalloc ((void **) &m.data, bytes); else m.data = (float *) calloc (r * c, sizeof (float)); return m; }
int main (int argc, char *argv [])
{
  int n = argc > 1 ? atoi (argv [1]) : 10;
  register int i;
  float row [n]; /* VLA */
  double start = seconds ();
  struct config cfg = { .width = n, .height = 2 * n, .name = "test" };
  Matrix h = new_matrix (n, n, false), a = new_matrix (n, n, true), b = new_matrix (n, n, true), c = new_matrix (n, n, true);
  for (i = 0; i < n * n; i++) h.data [i] = (float) i;
  cudaMemcpy (a.data, h.data, n * n * sizeof *h.data, cudaMemcpyHostToDevice);
  cudaMemcpy (b.data, h.data, n * n * sizeof *h.data, cudaMemcpyHostToDevice);
  dim3 threads (4, 4), grid ((n + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y);
  addMat <<< grid, threads >>> (a, b, c);
  cudaMemcpy (h.data, c.data, n * n * sizeof (float), cudaMemcpyDeviceToHost);
  memcpy (row, h.data + n, n * sizeof (float));
  Matrix copy = (Matrix) { n, n, h.data };
  __typeof__ (n) m = n ?: 1;
  int bigger = ({ int x = m, y = 3; x > y ? x : y; });
  colour_t col = (colour_t) 2;
  int lookup [] = { 1, 2, 3 }, zero [3] = { 0 };
  switch (col) { case RED: puts ("red"); break; case GREEN ... BLUE: puts ("other"); break; }
  printf ("%g %g %d %d %s %d %d\n", row [n - 1], copy.data [n * n - 1], bigger, cfg.height, cfg.name, lookup [1] + zero [2], seconds () >= start);
  free (h.data); cudaFree (a.data); cudaFree (b.data); cudaFree (c.data);
  srand (time (NULL)); if (rand () < 0) goto fail;
  return 0;
fail:
  return 1;
}

/* exit status 0, findings: none
other
38 198 10 20 test 2 1
*/
