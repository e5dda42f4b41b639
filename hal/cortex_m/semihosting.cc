#include "hal/cortex_m/semihosting.h"

namespace tactus::hal::cortex_m::semihosting {
namespace {

enum class Operation : std::uint32_t {
  kOpen = 0x01,
  kWrite0 = 0x04,
  kWrite = 0x05,
  kRead = 0x06,
  kCommandLine = 0x15,
  kExitExtended = 0x20,
};
constexpr std::uint32_t kOpenReadBinary = 1, kOpenWriteBinary = 5;
constexpr std::uint32_t kApplicationExit = 0x20026;

std::uint32_t Call(Operation operation, const void* argument) {
  register std::uint32_t r0 asm("r0") = static_cast<std::uint32_t>(operation);
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

template <class T>
std::uint32_t Word(T* pointer) {
  return reinterpret_cast<std::uint32_t>(pointer);
}

std::uint32_t Length(const char* text) {
  std::uint32_t length = 0;
  while (text[length] != '\0') ++length;  // ends: the zero of a path or a message of ours
  return length;
}

}  // namespace

bool CommandLine(std::span<char> room) {
  std::uint32_t block[2] = {Word(room.data()), static_cast<std::uint32_t>(room.size())};
  return Call(Operation::kCommandLine, block) == 0;
}

void Print(const char* text) { Call(Operation::kWrite0, text); }

int Open(const char* path, bool for_writing) {
  const std::uint32_t block[3] = {Word(path), for_writing ? kOpenWriteBinary : kOpenReadBinary, Length(path)};
  return static_cast<int>(Call(Operation::kOpen, block));
}

std::size_t Read(int handle, std::span<std::uint8_t> room) {
  const std::uint32_t block[3] = {static_cast<std::uint32_t>(handle), Word(room.data()),
                                  static_cast<std::uint32_t>(room.size())};
  return room.size() - Call(Operation::kRead, block);  // the call returns how many bytes are missing
}

std::size_t Write(int handle, std::span<const std::uint8_t> bytes) {
  const std::uint32_t block[3] = {static_cast<std::uint32_t>(handle), Word(bytes.data()),
                                  static_cast<std::uint32_t>(bytes.size())};
  return bytes.size() - Call(Operation::kWrite, block);
}

void Exit(int code) {
  const std::uint32_t block[2] = {kApplicationExit, static_cast<std::uint32_t>(code)};
  Call(Operation::kExitExtended, block);
  for (;;) {  // ends: never; the emulator has been told to end
  }
}

}  // namespace tactus::hal::cortex_m::semihosting
