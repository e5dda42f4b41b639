#include "hal/cortex_m/image_header.h"

namespace tactus::hal::cortex_m {

extern "C" {
[[gnu::section(".image_header"), gnu::used]] constinit const ImageHeader image_header{
    .magic = {'T', 'A', 'C', 'T', 'U', 'S', '0', '1'},
    .board = TACTUS_BOARD,
    .version = "",
    .load_address = 0,
    .size = 0,
    .crc32 = 0,
    .emulated = TACTUS_EMULATED,
};
}

}  // namespace tactus::hal::cortex_m
