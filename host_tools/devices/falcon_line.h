#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hal/devices/falcon_start.h"
#include "hal/devices/serial_line.h"
#include "host_tools/devices/real_devices.h"

namespace tactus::host {

/// A program for a Falcon. @throws HostError: no file, or none that its loader takes.
std::vector<std::uint8_t> ReadFalconProgram(const std::string& path);

/// What a start took.
struct FalconStarted {
  bool ran_already = false;
  int attempts = 0;
  bool has_dtr = true;      ///< the line could tell DTR
  bool has_latency = true;  ///< and set the chip's latency
};

/// Does a start's orders on a line, in real time, until the program runs. @throws HostError: it does not.
FalconStarted StartFalcon(hal::SerialLine& line, const std::vector<std::uint8_t>& program);

/// The line of a Falcon whose program runs, loaded if it had to be: over libusb, or over a terminal that is opened again
/// when it goes. @throws HostError: no line, no program, or why it does not run.
std::unique_ptr<hal::ByteLink> OpenFalconLine(const LinePlace& place, unsigned baud);

/// Its last words, where the line is libusb's: the pipe of a program that has ended is opened anew.
void SayFalconWordsOverUsb(const std::string& serial, const LastWords& words);

}  // namespace tactus::host
