#pragma once
#include <cstdint>
#include <fstream>
#include <string>

#include "tactus/wire/message.h"

namespace tactus::host {

/// Contact events as CSV, one line each. What a controller tells live and what is found in its recording give the same
/// bytes.
class EventFile {
 public:
  /// @param[in] period_us  of the ticks. @throws HostError: it cannot be written
  EventFile(const std::string& path, std::uint32_t period_us);

  void Add(const wire::ContactEvent& event);
  /// @throws HostError: it could not be written.
  void Close();

  long written() const { return written_; }
  /// That the controller could not tell, as the last event says.
  std::uint32_t missed() const { return missed_; }

 private:
  std::string path_;
  double period_s_;
  std::ofstream file_;
  long written_ = 0;
  std::uint32_t missed_ = 0;
};

}  // namespace tactus::host
