#include "host_tools/hil/rig_controller.h"

#include "host_tools/link/emulated_board.h"
#include "host_tools/link/local_board.h"
#include "host_tools/link/token.h"

namespace tactus::host {

RigController::RigController(const RigFile& rig) {
  constexpr int kScalarBits = 64;
  if (rig.link.empty()) {
    transport_ = MakeLocalBoard(kScalarBits);
  } else if (const std::optional<std::string> board = EmulatedBoard(rig.link)) {
    qemu_ = std::make_unique<QemuBoard>(EmulationOf(*board, rig.image));
  } else {
    transport_ = OpenTransport(rig.link, rig.token_file.empty() ? "" : ReadToken(rig.token_file));
  }
}

}  // namespace tactus::host
