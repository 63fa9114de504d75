#include <stdio.h>
#include <string.h>
typedef union { float f; unsigned int u; unsigned char b[4]; } bits_t;
struct flags { unsigned a : 3; unsigned b : 5; signed int c : 6; unsigned : 0; bool d : 1; };
typedef struct matrix { int rows, cols; float data[2][3]; struct { int x, y; } origin; const char *name; } Matrix;
struct config_t { dim3 grid; float2 scale; double eps; char tag; short s[3]; };

__global__ void kernel(Matrix m, struct config_t cfg, flags fl, bits_t in, float **rows, unsigned *out) {
    bits_t x; x.f = m.data[1][2] * cfg.scale.y;
    out[0] = x.u; out[1] = in.b[3]; out[2] = fl.a + fl.b * 10 + fl.c + fl.d;
    fl.c = -5; out[3] = fl.c + 100;
    out[4] = cfg.grid.x + cfg.grid.z + cfg.s[2] + cfg.tag; out[5] = m.origin.y * m.rows;
    for (int i = 0; i < m.rows; i++) for (int j = 0; j < m.cols; j++) rows[i][j] = m.data[i][j] + i;
    unsigned bits = __float_as_uint(1.0f); memcpy(&out[6], &bits, sizeof bits);
    out[7] = *(unsigned *)&x.f;
}
int main(void) {
    Matrix m = {2, 3, {{1, 2, 3}, {4, 5, 6}}, {7, 8}, "m"};
    struct config_t c; memset(&c, 0, sizeof(c)); c.grid = dim3(3); c.scale = make_float2(1, 2); c.s[2] = 4; c.tag = 'A';
    flags fl = {5, 17, -3, true}; bits_t b; b.f = -1.0f;
    float *row[2], **rows, h[3]; unsigned *out, ho[8]; int i;
    for (i = 0; i < 2; i++) cudaMalloc((void **)&row[i], 3 * sizeof(float));
    cudaMalloc((void **)&rows, sizeof(row)); cudaMemcpy(rows, row, sizeof(row), cudaMemcpyHostToDevice);
    cudaMalloc((void **)&out, sizeof(ho));
    kernel<<<1, 1>>>(m, c, fl, b, rows, out);
    cudaMemcpy(ho, out, sizeof(ho), cudaMemcpyDeviceToHost);
    for (i = 0; i < 8; i++) printf("%u ", ho[i]);
    cudaMemcpy(h, row[1], sizeof(h), cudaMemcpyDeviceToHost);
    printf("\n%g %g %g %d %d\n", h[0], h[1], h[2], (int)sizeof(flags), (int)sizeof(struct config_t));
    return 0;
}
/* exit status 0, findings: none
1094713344 191 173 95 73 16 1065353216 1094713344 
5 6 7 8 40
*/
