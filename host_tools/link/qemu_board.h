#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "host_tools/link/transport.h"

namespace tactus::host {

/// How the host talks to an emulated board.
enum class QemuLink : std::uint8_t {
  kFifo,  ///< a pair of FIFOs by semihosting: virtual time stands still while the host computes, every run is the same
  kUart,  ///< the board's UART on a socket: as a product does it; time counts instructions, bytes come when the host has
          ///< time
};

struct QemuOptions {
  std::string machine;            ///< QEMU's name of the machine
  std::filesystem::path image;    ///< the firmware, an ELF file
  std::filesystem::path counter;  ///< the instruction counter, a plugin; empty: do not count
  QemuLink link = QemuLink::kFifo;
  bool local_device = false;         ///< the simulated device and hand live on the board
  std::uint32_t period_us = 1000;    ///< of its servo loop
  std::filesystem::path debugger{};  ///< a socket for a debugger; empty: none
};

/// A running emulator. It dies with this object, and with this process.
class QemuBoard {
 public:
  /// Starts it and waits until it has opened its end of the link.
  ///
  /// @throws HostError: no QEMU, no image, the emulator ended or did not open the link.
  explicit QemuBoard(const QemuOptions& options);
  ~QemuBoard();
  QemuBoard(const QemuBoard&) = delete;
  QemuBoard& operator=(const QemuBoard&) = delete;

  Transport& transport() { return *transport_; }

  /// Hangs up: the board finds its link closed. The transport is gone.
  void CloseLink() { transport_.reset(); }

  /// Waits for the image to end by itself, at most `patience`, then ends it.
  ///
  /// @returns its exit status, 128 + signal when a signal ended it
  int Wait(std::chrono::milliseconds patience);

  /// Instructions of each tick; complete after Wait. Empty without a counter.
  std::vector<std::uint64_t> TickCounts() const;

  /// Instructions that the emulator runs in 1 µs of the board's time: with them it has or misses its deadlines.
  std::uint32_t instructions_per_us() const { return instructions_per_us_; }

  /// What the emulator and the image printed.
  std::string Output() const;

 private:
  void Start(const QemuOptions& options);
  void OpenFifos();
  void OpenSocket();
  bool EndsWithin(std::chrono::milliseconds patience);
  bool Reap(int wait_options);  // whether it has ended; then its exit status is kept
  [[noreturn]] void FailToStart();
  void CleanUp();

  std::filesystem::path folder_;
  std::uint32_t instructions_per_us_;
  pid_t pid_ = -1;
  int end_ = -1;  // pidfd: readable when the emulator has ended
  int exit_status_ = -1;
  std::unique_ptr<Transport> transport_;
};

}  // namespace tactus::host
