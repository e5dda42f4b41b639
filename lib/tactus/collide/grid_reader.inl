namespace tactus {

/// Looks at a grid's bytes as they come: each of them once, so that a piece costs what its own bytes do.
class GridReader {
 public:
  GridReader() = default;
  /// @param[in] bytes  where the grid will be, all of it; they must outlive this and the grid
  explicit GridReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    if (bytes.size() < DistanceGrid::kHeaderBytes + DistanceGrid::kCrcBytes) wrong_ = "is shorter than its header";
  }

  /// The first `there` bytes are there [B], no fewer than before.
  void Look(std::size_t there) noexcept {
    if (wrong_ != nullptr || there < DistanceGrid::kHeaderBytes) return;
    if (grid_.empty()) wrong_ = grid_.ReadHeader(bytes_);
    if (wrong_ != nullptr) return;
    const std::size_t to = Min(there, bytes_.size() - DistanceGrid::kCrcBytes);
    crc_ = Crc32(bytes_.subspan(summed_, to - summed_), crc_);
    summed_ = to;
    const std::size_t entries = Min((to - DistanceGrid::kHeaderBytes) / 2, grid_.map_size());
    has_blocks_ = has_blocks_ && grid_.HasBlocks(seen_, entries);
    seen_ = entries;
  }

  /// When all bytes have been looked at. @returns as DistanceGrid::Open
  const char* Finish(DistanceGrid* grid) const noexcept {
    if (wrong_ != nullptr) return wrong_;
    if (summed_ + DistanceGrid::kCrcBytes != bytes_.size()) return "is not all there";
    if (internal::LoadU32(bytes_.data() + summed_) != crc_) return "is damaged: its CRC differs";
    if (!has_blocks_) return "refers to a block that it does not have";
    *grid = grid_;
    return nullptr;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  const char* wrong_ = nullptr;
  DistanceGrid grid_;
  std::size_t summed_ = 0;  // bytes
  std::uint32_t crc_ = 0;   // of them
  std::size_t seen_ = 0;    // entries of the map
  bool has_blocks_ = true;  // all that they refer to
};

inline const char* DistanceGrid::Open(std::span<const std::uint8_t> bytes, DistanceGrid* grid) noexcept {
  GridReader reader(bytes);
  reader.Look(bytes.size());
  return reader.Finish(grid);
}

}  // namespace tactus
