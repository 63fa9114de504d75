#include "sizes.h"
#define TILE (1 << 4)
#define BLOCK_SIZE c::TILE /* the tile's */
namespace n { constexpr auto K = 1024u, A_WIDTH = K; constexpr auto min = 1_Ki; }
constexpr auto b = 1, A_WIDTH = [] { return 4ul; }();
const dim3 min = dim3(16, 16);
#define K_2 (K * 2)
