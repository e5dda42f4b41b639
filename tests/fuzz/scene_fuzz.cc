// Any bytes as the image of a scene, whole and in pieces: both ways refuse it for the same reason or take it; and in a scene
// that is taken, ticks with a handle at its shapes command finite forces within the device's ceilings.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "firmware/servo/scene_loader.h"
#include "firmware/servo/servo_tick.h"
#include "host_tools/session/scene_piece.h"
#include "tests/fuzz/fuzz.h"

using namespace tactus;

namespace {

constexpr std::size_t kControlBytes = 128;  // of an input; the image comes behind them
constexpr int kTicks = 12;

void Sum(std::span<std::uint8_t> bytes) {
  const std::uint32_t crc = Crc32(bytes.first(bytes.size() - 4));
  std::memcpy(bytes.data() + bytes.size() - 4, &crc, 4);
}

/// Right checksums, or no change would get behind them: the image's, and where it can be read those of its grids.
void Sum(std::vector<std::uint8_t>* image, Scene<>* scene) {
  if (image->size() < 4) return;
  Sum(std::span(*image));
  if (ReadScene(*image, scene)) return;
  for (const SceneGrid& grid : scene->grids) {
    if (grid.bytes.size() >= 4) Sum({image->data() + (grid.bytes.data() - image->data()), grid.bytes.size()});
  }
  Sum(std::span(*image));
}

/// As a whole. @returns whether a tick may have it
template <class Scalar>
bool TakeWhole(std::span<const std::uint8_t> image, Scene<>* scene, PreparedScene<Scalar>* world) {
  if (const SceneFault fault = ReadScene(image, scene)) return false;
  if (const SceneFault fault = Prepare(*scene, world)) return false;
  return LacksRoom(*world) == nullptr;
}

/// In pieces of any size; one that is not the next, now and then.
template <class Scalar>
servo::SceneAnswer TakePieces(fuzz::Numbers& numbers, std::span<const std::uint8_t> image,
                              servo::SceneLoader<Scalar>* loader) {
  servo::SceneAnswer answer;
  for (std::size_t given = 0; given < image.size() && answer.code == wire::AckCode::kAccepted;) {
    wire::ScenePart part = host::PieceOf(image, given);
    const std::uint32_t kind = numbers.Byte();
    if (kind > 128) part.mutate_size(std::min<std::uint32_t>(part.size(), kind));
    if (kind == 1) part.mutate_offset(part.offset() + 1);
    if (kind == 2 && given > 0) part.mutate_total(part.total() - 1);
    if (kind == 3) part.mutate_size(0);
    answer = loader->Take(part);
    if (kind == 1 || kind == 3 || (kind == 2 && given > 0)) {
      FUZZ_EXPECT(answer.code != wire::AckCode::kAccepted || part.total() == 0);
      answer = {};
      given = 0;  // it has to come anew
      continue;
    }
    given += part.size();
  }
  return answer;
}

/// A handle that comes at one of the shapes, as far off as it is large, and wanders as fast as a hand.
class Handle {
 public:
  Handle(fuzz::Numbers* numbers, const Scene<>& scene) : numbers_(*numbers) {
    sample_.q_WH[0] = 1;
    if (scene.shapes.empty()) return;
    const SceneShape& at = scene.shapes[static_cast<int>(numbers_.Below(static_cast<std::uint32_t>(scene.shapes.size())))];
    const double reach_m = std::min(1.0, at.radius_m + std::hypot(at.half_m[0], at.half_m[1], at.half_m[2]));
    for (int i = 0; i < 3; ++i) sample_.p_WH_m[i] = static_cast<float>(at.p_BS_m[i] + numbers_.Between(-reach_m, reach_m));
  }
  const SensorFrame& Next() {
    constexpr double kStep_m = 1e-3;
    ++sample_.sequence;
    for (float& x : sample_.p_WH_m) x += static_cast<float>(numbers_.Between(-kStep_m, kStep_m));
    return sample_;
  }

 private:
  fuzz::Numbers& numbers_;
  SensorFrame sample_;
};

template <class Scalar>
void Touch(fuzz::Numbers& numbers, const Scene<>& scene, const PreparedScene<Scalar>& world) {
  static const auto config = std::make_unique<Config<Scalar>>();
  static const auto state = std::make_unique<State<Scalar>>();
  *config = {};
  *state = {};
  UseScene(world, config.get());
  (void)Arm(state.get());
  const DeviceLimits limits;
  Handle handle(&numbers, scene);
  std::optional<Handle> second;
  if (world.hands > 1) second.emplace(&numbers, scene);
  for (int i = 0; i < kTicks; ++i) {
    CommandFrame command;
    Telemetry<Scalar> telemetry;
    if (second) TellSecondHand(second->Next(), state.get());
    (void)Tick(handle.Next(), *config, state.get(), &command, &telemetry);
    for (const CommandFrame& hand : {command, SecondCommand(*state)}) {
      const double force_N = static_cast<double>(std::hypot(hand.force_N[0], hand.force_N[1], hand.force_N[2]));
      const double torque_Nm = static_cast<double>(std::hypot(hand.torque_Nm[0], hand.torque_Nm[1], hand.torque_Nm[2]));
      FUZZ_EXPECT(force_N <= limits.force_N * (1 + 1e-5));
      FUZZ_EXPECT(torque_Nm <= limits.torque_Nm * (1 + 1e-5));
    }
    FUZZ_EXPECT(telemetry.fault != Fault::kSolverInvalid && telemetry.fault != Fault::kForceNotFinite);
  }
}

template <class Scalar>
void Run(fuzz::Numbers& numbers, std::span<const std::uint8_t> image, Scene<>* scene) {
  static const auto world = std::make_unique<PreparedScene<Scalar>>();
  static const auto loader = std::make_unique<servo::SceneLoader<Scalar>>();
  const bool whole = TakeWhole(image, scene, world.get());
  const servo::SceneAnswer answer = TakePieces(numbers, image, loader.get());
  const bool has_many_points = answer.code == wire::AckCode::kOverCapacity;  // on grids: the loader alone looks at that
  FUZZ_EXPECT(whole == answer.complete || (whole && has_many_points));
  if (!answer.complete) return;
  FUZZ_EXPECT(std::ranges::equal(loader->image(), image) && loader->crc() == Crc32(image));
  Touch(numbers, *scene, *loader->world());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < kControlBytes) return 0;
  static const auto scene = std::make_unique<Scene<>>();
  fuzz::Numbers numbers(data, kControlBytes);
  std::vector<std::uint8_t> image(data + kControlBytes, data + size);
  const bool in_double = numbers.Below(2) == 0, summed = numbers.Byte() != 255;
  if (summed) Sum(&image, scene.get());
  in_double ? Run<double>(numbers, image, scene.get()) : Run<float>(numbers, image, scene.get());
  return 0;
}
