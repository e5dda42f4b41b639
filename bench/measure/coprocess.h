#pragma once
#include <sys/types.h>

#include <cstddef>
#include <string>

namespace tactus::bench {

/// A program beside this one that is asked and answers, over pipes, within one run. Ends with its input.
class Coprocess {
 public:
  /// @throws BenchError: it cannot be started
  explicit Coprocess(const std::string& name);
  Coprocess(const Coprocess&) = delete;
  Coprocess& operator=(const Coprocess&) = delete;
  ~Coprocess();

  /// @throws BenchError: it is gone
  void Write(const void* data, std::size_t size);
  void Read(void* data, std::size_t size);

 private:
  [[noreturn]] void EndWith(const char* what) const;

  std::string name_;
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
};

/// Whether that program has been built.
bool IsBuilt(const std::string& name);

}  // namespace tactus::bench
