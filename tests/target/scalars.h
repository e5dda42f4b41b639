#pragma once

// The precisions that these programs compute in: a board's own, which it has in hardware; on a computer both.
#ifdef TACTUS_BOARD_SCALAR
#define TACTUS_FOR_EACH_SCALAR(instantiate) instantiate(TACTUS_BOARD_SCALAR)
#else
#define TACTUS_FOR_EACH_SCALAR(instantiate) instantiate(float) instantiate(double)
#endif
