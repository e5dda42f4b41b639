#pragma once

namespace tactus::hal {

/// The line that lets the drives have current. Off after a reset; a fault switches it off past all software (OutputsSafe).
class DriveEnable {
 public:
  virtual ~DriveEnable() = default;

  /// On while force may be commanded (armed or fading), off otherwise. Tick context only.
  void Set(bool on) noexcept { DoSet(on); }

 private:
  virtual void DoSet(bool on) noexcept = 0;
};

/// Of a board whose device switches its drives itself.
class NoDriveLine final : public DriveEnable {
 private:
  void DoSet(bool) noexcept override {}
};

}  // namespace tactus::hal
