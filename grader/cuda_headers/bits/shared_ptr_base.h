/* shared_ptr_base.h: libstdc++'s own, which spells an attribute as __noinline__: a word of CUDA's,
 * and a macro for clang before 15. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
