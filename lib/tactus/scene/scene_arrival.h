#pragma once
#include <span>

#include "tactus/collide/distance_grid.h"
#include "tactus/core/scalar.h"
#include "tactus/scene/prepared_scene.h"
#include "tactus/scene/scene_image.h"

namespace tactus {

/// Looks at an image while it arrives, so that no tick has to look at all of a grid: a piece costs its own bytes, three
/// times at most, and, until the grids have begun, the lists before them. Bounded; no heap.
template <SceneCapacity kCapacity>
class SceneArrival {
 public:
  SceneArrival() = default;
  /// @param[in] image  where it will be, all of it
  explicit SceneArrival(std::span<const std::uint8_t> image) : image_(image) {}

  /// The first `there` bytes are there [B], no fewer than before. @param[out] scratch  of no use afterwards
  void Look(std::size_t there, Scene<kCapacity>* scratch) noexcept {
    const std::size_t end = image_.size() < kSceneCrcBytes ? 0 : image_.size() - kSceneCrcBytes;
    const std::size_t to = Min(there, end);
    crc_ = Crc32(image_.subspan(summed_, to - summed_), crc_);
    summed_ = to;
    if constexpr (kCapacity.grids > 0) LookAtGrids(there, scratch);
  }

  /// When all is there: as ReadScene and Prepare, without a look at a grid's bytes.
  /// @param[out] scene, prepared  of no use if there is a fault
  template <class Scalar>
  SceneFault Finish(Scene<kCapacity>* scene, PreparedScene<Scalar, kCapacity>* prepared) const noexcept {
    if (const SceneFault fault = ReadSummedScene(
            image_, [this] { return crc_; }, scene))
      return fault;
    return Prepare(*scene, prepared, {grids_.begin(), static_cast<std::size_t>(grids_.size())});
  }

  /// Checksum of all of the image, when all is there.
  std::uint32_t crc() const { return Crc32(image_.subspan(summed_), crc_); }

 private:
  static constexpr std::size_t kGridHeadBytes = 12;  ///< a spacing and a size

  void LookAtGrids(std::size_t there, Scene<kCapacity>* scratch) {
    if (next_ == 0) FindGrids(there, scratch);
    if (next_ == 0) return;
    while (grids_.size() < count_ && next_ + kGridHeadBytes <= there) {
      const std::size_t size = internal::LoadU32(image_.data() + next_ + kGridHeadBytes - 4);
      next_ += kGridHeadBytes;
      if (size > image_.size() - next_) count_ = grids_.size();  // ReadSummedScene will say so
      if (grids_.size() == count_) return;
      (void)grids_.push_back(GridReader(image_.subspan(next_, size)));  // no more than there is room for
      (void)places_.push_back(next_);
      next_ += size;
    }
    for (int i = 0; i < grids_.size(); ++i) grids_[i].Look(there - Min(there, places_[i]));
  }
  /// Reads the lists before them, if these are there.
  void FindGrids(std::size_t there, Scene<kCapacity>* scratch) {
    internal::SceneReader reader(image_.first(there));
    if (reader.template Take<std::uint32_t>() != kSceneMagic) return;
    if (reader.template Take<std::uint16_t>() != kSceneVersion) return;
    internal::VisitSceneLists(reader, *scratch);
    const int count = reader.template Take<std::uint16_t>();
    if (reader.fault()) return;
    next_ = reader.at();
    count_ = Min(count, kCapacity.grids);
  }

  std::span<const std::uint8_t> image_;
  std::size_t summed_ = 0;  // bytes, without the image's own checksum
  std::uint32_t crc_ = 0;   // of them
  std::size_t next_ = 0;    // where the next grid begins; 0: not known yet
  int count_ = 0;           // of grids
  SceneList<GridReader, kCapacity.grids> grids_;
  SceneList<std::size_t, kCapacity.grids> places_;
};

}  // namespace tactus
