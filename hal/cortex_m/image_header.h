#pragma once
#include <cstdint>

namespace tactus::hal::cortex_m {

/// What an image says about itself, behind the vector table: whoever writes it to a board can see that it is whole and for
/// that board. toolchain/image/stamp.py fills in the last four when the image has been linked.
struct ImageHeader {
  char magic[8];     ///< "TACTUS01"
  char board[24];    ///< folder under firmware/boards
  char version[40];  ///< version and revision
  std::uint32_t load_address;
  std::uint32_t size;      ///< [B] from there on
  std::uint32_t crc32;     ///< IEEE 802.3, of these bytes with this word zero
  std::uint32_t emulated;  ///< 1: for the emulator; on a chip its first semihosting call is a fault
};
static_assert(sizeof(ImageHeader) == 88);

extern "C" const ImageHeader image_header;

}  // namespace tactus::hal::cortex_m
