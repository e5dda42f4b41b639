#include "firmware/servo/tick_markers.h"

// noinline and an opaque statement keep the compiler from dropping the calls or merging the two bodies.
[[gnu::noinline]] void tactus_tick_begin() { asm volatile("" ::: "memory"); }
[[gnu::noinline]] void tactus_tick_end() { asm volatile("nop" ::: "memory"); }
