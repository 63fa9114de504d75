#include <stdio.h>
__global__ void simd(unsigned *out, unsigned a, unsigned b)
{
    int i = 0;
    out[i++] = __vadd2(a, b);
    out[i++] = __vsub2(a, b);
    out[i++] = __vadd4(a, b);
    out[i++] = __vsub4(a, b);
    out[i++] = __vabsdiffu4(a, b);
    out[i++] = __vabsdiffs2(a, b);
    out[i++] = __vsadu4(a, b);
    out[i++] = __vmaxs2(a, b);
    out[i++] = __vmaxu4(a, b);
    out[i++] = __vminu4(a, b);
    out[i++] = __vmins4(a, b);
    out[i++] = __vminu2(a, b);
    out[i++] = __vcmpgtu4(a, b);
    out[i++] = __vcmpeq4(a, b);
    out[i++] = __vseteq4(a, b);
    out[i++] = __vsetgts2(a, b);
    out[i++] = __vaddus4(a, b);
    out[i++] = __vaddss2(a, b);
    out[i++] = __vsubus4(a, b);
    out[i++] = __vavgu4(a, b);
    out[i++] = __vavgs2(a, b);
    out[i++] = __vhaddu4(a, b);
    out[i++] = __vneg2(a);
    out[i++] = __vabs4(b);
    out[i++] = __vnegss4(a);
}
int main(void)
{
    unsigned *d, h[32] = {0};
    cudaMalloc((void **)&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    simd<<<1, 1>>>(d, 0x7f80ff01u, 0x01ff8002u);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) printf("%08x%c", h[i], i % 8 == 7 ? '\n' : ' ');
    return cudaFree(d);
}

/* exit status 0, findings: none
817f7f03 7d817eff 807f7f03 7e817fff 7e7f7f01 7d817eff 0000017d 7f80ff01
7fffff02 01808001 01808001 01ff8002 ff00ff00 00000000 00000000 00010001
80ffff03 7fff8000 7e007f00 40c0c002 40c0bf81 40bfbf01 808000ff 01018002
817f01ff 00000000 00000000 00000000 00000000 00000000 00000000 00000000
*/
