#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/rig/identify.h"
#include "host_tools/rig/rig_choice.h"

namespace tactus::host {

/// Where a rig's device is.
enum class RigKind : std::uint8_t {
  kSimulated,  ///< in this process
  kEmulated,   ///< a driver, and the bytes of an emulator
  kLine,       ///< a driver, and a line to hardware
};

/// A number that identification must find.
struct RigNumber {
  int axis = 0;          ///< x, y, z of W
  std::string quantity;  ///< of RigQuantities()
  double value = 0;      ///< declared; in the quantity's unit
  double within = 0;     ///< share of it that is allowed
};

/// F = K d: the coupling's stiffness times the depth of the handle behind a rigid wall, along its normal.
struct RigWall {
  Vector3 normal = {0, 0, 1};  ///< out of the wall, unit
  double surface_m = 0;        ///< n·p of the handle where it begins to touch
  double stiffness_N_per_m = 0;
  double within = 0.02;  ///< share of it that is allowed
};

/// A rig as a file has it (docs/rig.md): a device, what drives it, what is mounted, and what must come out.
struct RigFile {
  std::string path, title;
  RigKind kind = RigKind::kSimulated;
  RigChoice device;  ///< with its ceilings
  std::string line;  ///< kLine: PATH, unix:PATH, can:INTERFACE; of an I/O board PATH[:BAUD][,set=SET]
  bool gives_reach = false, gives_speed = false;
  std::optional<double> lift_m;
  std::string link, image, token_file;  ///< of the controller; "": in this process
  bool sample_paced = false;            ///< its tick in the scene is driven by samples: a link or host without real time
  std::string scene, scene_hand;        ///< "": none
  std::uint32_t ticks = 0;              ///< 0: the hand's script once
  bool selftest = true, identify = true, stops = true;
  double seconds = 40;  ///< of identification, each axis
  double tool_kg = 0;   ///< mounted; every declared mass is more by it
  std::vector<RigNumber> numbers;
  std::optional<RigWall> wall;
};

/// What a file calls an I/O board on a line, as tactus serve does (docs/io_firmware.md).
inline constexpr const char* kRigIoBoard = "tactus-io";

/// Names of what identification finds, as keys of a file.
const std::vector<std::string>& RigQuantities();
/// One of them. @returns nullptr: no such name
const Estimated* FindQuantity(const IdentifiedAxis& axis, const std::string& name);

/// @throws HostError: what is wrong, with file, line, field, value and range
RigFile LoadRig(const std::string& path);

}  // namespace tactus::host
