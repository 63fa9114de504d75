/* lowered_name.h: the names that expressions like `&N::sum<int>` have in PTX.
 *
 * The compiler is asked by lines after the source. Each makes it instantiate what an expression
 * names, and a kernel of ours, whose own name holds that of the expression:
 *
 *     template __global__ void gpugrade_name<0, &N::sum<int> >();
 *     _Z13gpugrade_nameILi0EXadL_ZN1N3sumIiEEvPT_S2_EEEvv          in the PTX
 *                             ^^^^^^^^^^^^^^^^^^^^^^^              _ZN1N3sumIiEEvPT_S1_
 *
 * In there each number of a repeated part (S2_) is one higher, since gpugrade_name is such a part
 * too (Itanium C++ ABI, 5.1.10). */
#ifndef GPUGRADE_LIBRARIES_LOWERED_NAME_H
#define GPUGRADE_LIBRARIES_LOWERED_NAME_H

/* Line `index` of those that are added, with the address operator that the expression may lack; and
 * the first one. To be freed; NULL: there is no memory. */
#define LOWERED_NAME_FIRST                                                                         \
    "#line 1 \"name expression\"\n"                                                                \
    "template <int N, auto F> __global__ void gpugrade_name() {}\n"
char *lowered_name_line(unsigned index, const char *expression);

/* The name of expression `index` in the PTX, to be freed; NULL: there is none. */
char *lowered_name_find(const char *ptx, unsigned index);

#endif
