#pragma once
#include <memory>
#include <optional>

#include "host_tools/hil/rig_file.h"
#include "host_tools/link/qemu_board.h"
#include "host_tools/link/transport.h"

namespace tactus::host {

/// The controller of a rig whose device is at the host: in this process, emulated, or at the end of a link. Each is started,
/// or called, anew.
class RigController {
 public:
  /// @throws HostError: no image, no answer
  explicit RigController(const RigFile& rig);

  Transport& transport() { return qemu_ ? qemu_->transport() : *transport_; }

 private:
  std::unique_ptr<QemuBoard> qemu_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace tactus::host
