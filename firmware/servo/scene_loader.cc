#include "firmware/servo/scene_loader.h"

#include <algorithm>
#include <string_view>

namespace tactus::servo {
namespace {

using wire::AckCode;

/// By the number that the answer tells; the seventh is the image's own (SceneList::kImage).
constexpr std::string_view kLists[] = {"bodies", "shapes", "hulls", "laws",  "joints",
                                       "fields", "",       "paths", "grids", "hands"};
constexpr double kRoom[] = {
    kServoScene.bodies, kServoScene.shapes, kServoScene.hulls, kServoScene.laws, kServoScene.joints, kServoScene.fields, 0,
    kServoScene.paths,  kServoScene.grids,  kServoScene.hands};

/// Points of shapes on grids that a tick may look for. On a board the search, 600 instructions a point at most, and the safe
/// answer of 24 contacts must fit into a tick; a computer has more.
constexpr int kMostGridPoints = kHasLargeScenes ? 1 << 14 : kMaxSamplePoints;

SceneAnswer NoRoom(std::string_view list) {
  const auto found = std::find(std::begin(kLists), std::end(kLists), list);
  const auto number = static_cast<std::size_t>(found - std::begin(kLists));
  if (found == std::end(kLists)) return {.code = AckCode::kOverCapacity, .limit = -1};
  return {.code = AckCode::kOverCapacity, .field = static_cast<std::uint16_t>(number), .limit = kRoom[number]};
}

SceneAnswer AnswerOf(const SceneFault& fault) {
  const std::string_view what = fault.what;
  if (what == "are more than there is room for") return NoRoom(fault.list);
  if (what == "is held by a second hand, for which there is no room") return NoRoom("hands");
  const bool finite = what != "is not finite";
  return {.code = finite ? AckCode::kOutOfRange : AckCode::kNotFinite, .limit = static_cast<double>(fault.index)};
}

}  // namespace

template <class Scalar, bool kScenes>
SceneAnswer SceneLoader<Scalar, kScenes>::Take(const wire::ScenePart& part) noexcept {
  constexpr std::size_t kPiece = 480;
  if (part.total() == 0) {
    has_world_ = false;
    crc_ = 0;
    total_ = size_ = 0;
    return {.complete = true};
  }
  if (part.total() > incoming().size()) {
    return {.code = AckCode::kOverCapacity,
            .field = static_cast<std::uint16_t>(SceneList::kImage),
            .limit = static_cast<double>(incoming().size())};
  }
  if (part.offset() == 0) {
    total_ = part.total();
    size_ = 0;
    arrival_ = SceneArrival<kServoScene>(std::span(incoming()).first(total_));
  }
  const std::size_t size = part.size();
  if (part.total() != total_ || part.offset() != size_ || size == 0 || size > kPiece || size > total_ - size_) {
    total_ = size_ = 0;  // a piece is missing, doubled or torn: the image has to come anew
    return {.code = AckCode::kOutOfRange, .limit = -1};
  }
  const std::uint8_t* const bytes = part.bytes()->Data();
  std::copy(bytes, bytes + size, incoming().begin() + static_cast<std::ptrdiff_t>(size_));
  size_ += size;
  arrival_.Look(size_, &scene_);
  return size_ == total_ ? Finish() : SceneAnswer{};
}

template <class Scalar, bool kScenes>
SceneAnswer SceneLoader<Scalar, kScenes>::Finish() noexcept {
  const std::span<const std::uint8_t> image = std::span(incoming()).first(size_);
  total_ = size_ = 0;
  PreparedScene<Scalar>& other = worlds_[1 - which_];
  if (const SceneFault fault = arrival_.Finish(&scene_, &other)) return AnswerOf(fault);
  if (const char* const list = LacksRoom(other)) return NoRoom(list);
  if (other.hands > hands_) {
    return {.code = AckCode::kOverCapacity,
            .field = static_cast<std::uint16_t>(SceneList::kHands),
            .limit = static_cast<double>(hands_)};
  }
  if (other.grid_points > kMostGridPoints) {
    return {
        .code = AckCode::kOverCapacity, .field = static_cast<std::uint16_t>(SceneList::kGrids), .limit = kMostGridPoints};
  }
  which_ = 1 - which_;
  image_size_ = image.size();
  has_world_ = true;
  crc_ = arrival_.crc();
  return {.complete = true};
}

template class SceneLoader<double>;
template class SceneLoader<float>;

}  // namespace tactus::servo
