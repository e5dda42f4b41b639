#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tactus/core/check.h"
#include "tactus/core/status.h"
#include "tactus/wire/frame.h"
#include "tactus/wire/frame_decoder.h"

// Recordings: a line of text, then records; a record is a direction byte and a frame as on the link. docs/wire.md,
// section 9.
namespace tactus::wire {

/// First bytes of every recording; the number is the version of the format.
inline constexpr std::string_view kLogHead = "TACTUS LOG 1\n";

/// First byte of a record: who sent the frame.
enum class LogDirection : std::uint8_t {
  kToController = '>',
  kToHost = '<',
  kEnd = '$',  ///< the last record, with LogEnd
};

/// Sums up a recording while it is written. The caller writes Head(), then for each frame its direction byte and the frame's
/// bytes as on the link, telling Add; End() gives the last record. It holds no file.
class LogWriter {
 public:
  static constexpr std::size_t kEndSize = 1 + kEncodedSize<LogEnd>;

  static constexpr std::string_view Head() { return kLogHead; }

  LogWriter() noexcept { Sum({reinterpret_cast<const std::uint8_t*>(kLogHead.data()), kLogHead.size()}); }

  /// Tells that the record (direction, frame) was written. `frame` ends with its 0x00.
  void Add(LogDirection direction, std::span<const std::uint8_t> frame) noexcept {
    const std::uint8_t byte = static_cast<std::uint8_t>(direction);
    Sum({&byte, 1});
    Sum(frame);
    ++records_;
  }

  /// Makes the last record. @returns bytes written to `out`
  std::size_t End(std::span<std::uint8_t, kEndSize> out) const noexcept {
    std::size_t size = 0;
    out[0] = static_cast<std::uint8_t>(LogDirection::kEnd);
    const Status status = EncodeFrame(MessageType::kLogEnd, 0, PayloadOf(LogEnd(records_, crc_)), out.subspan<1>(), &size);
    TACTUS_CHECK(status == Status::kOk);
    return 1 + size;
  }

 private:
  void Sum(std::span<const std::uint8_t> bytes) noexcept { crc_ = Crc32(bytes, crc_); }

  std::uint32_t crc_ = 0;
  std::uint32_t records_ = 0;
};

/// Reads a recording byte by byte, and says why when it is not whole. It holds no file.
class LogReader {
 public:
  /// Takes one byte of the file.
  ///
  /// @returns kOk: a record is complete, see direction() and frame(). kWouldBlock: go on. kClosed: the recording ended, and
  /// is
  ///          whole. kCorrupt: it is damaged here; problem() tells how, and every later call returns kCorrupt.
  Status Push(std::uint8_t byte) noexcept {
    if (problem_ != nullptr) return Status::kCorrupt;
    if (ended_) return Fail("bytes follow the end of the recording");
    ++offset_;
    if (offset_ <= kLogHead.size()) {
      if (byte != static_cast<std::uint8_t>(kLogHead[offset_ - 1]))
        return Fail("not a Tactus recording, or of another version");
      crc_ = Crc32({&byte, 1}, crc_);
      return Status::kWouldBlock;
    }
    if (!in_record_) return StartRecord(byte);
    running_crc_ = Crc32({&byte, 1}, running_crc_);
    const Status status = decoder_.Push(byte);
    if (status == Status::kWouldBlock) return byte == 0 ? Fail("an empty record") : Status::kWouldBlock;
    if (status == Status::kCorrupt) return Fail("a damaged record");
    return FinishRecord();
  }

  /// Call when the file is at its end. @returns kClosed: whole. kCorrupt: see problem().
  Status Finish() noexcept {
    if (problem_ != nullptr) return Status::kCorrupt;
    return ended_ ? Status::kClosed : Fail("the recording breaks off");
  }

  LogDirection direction() const noexcept { return direction_; }
  const Frame& frame() const noexcept { return decoder_.frame(); }
  const char* problem() const noexcept { return problem_; }  ///< nullptr: none
  std::size_t offset() const noexcept { return offset_; }    ///< bytes taken: where the problem is
  std::uint32_t records() const noexcept { return records_; }

 private:
  Status StartRecord(std::uint8_t byte) noexcept {
    direction_ = static_cast<LogDirection>(byte);
    const bool known =
        direction_ == LogDirection::kToController || direction_ == LogDirection::kToHost || direction_ == LogDirection::kEnd;
    if (!known) return Fail("an unknown kind of record");
    in_record_ = true;
    running_crc_ = Crc32({&byte, 1}, crc_);
    return Status::kWouldBlock;
  }

  Status FinishRecord() noexcept {
    in_record_ = false;
    LogEnd end;
    const bool is_end = ReadMessage(decoder_.frame(), &end) == Status::kOk;
    if (is_end != (direction_ == LogDirection::kEnd)) return Fail("a record of the wrong kind");
    if (!is_end) {
      crc_ = running_crc_;
      ++records_;
      return Status::kOk;
    }
    if (end.records() != records_ || end.crc32() != crc_) return Fail("the sum at the end does not fit");
    ended_ = true;
    return Status::kClosed;
  }

  Status Fail(const char* problem) noexcept {
    problem_ = problem;
    return Status::kCorrupt;
  }

  FrameDecoder decoder_;
  LogDirection direction_ = LogDirection::kToHost;
  const char* problem_ = nullptr;
  std::size_t offset_ = 0;
  std::uint32_t records_ = 0;
  std::uint32_t crc_ = 0;          ///< up to the last whole record
  std::uint32_t running_crc_ = 0;  ///< with the record that is being read
  bool in_record_ = false, ended_ = false;
};

}  // namespace tactus::wire
