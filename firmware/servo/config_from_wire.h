#pragma once
#include <cstdint>

#include "tactus/haptic/config.h"
#include "tactus/wire/fields.h"
#include "tactus/wire/message.h"

namespace tactus::servo {

/// Why a Config message is refused. `field` is its offset in the payload.
struct ConfigRefusal {
  wire::AckCode code = wire::AckCode::kAccepted;
  std::uint16_t field = wire::kNoField;

  constexpr explicit operator bool() const { return code != wire::AckCode::kAccepted; }
};

/// Takes a Config message apart and checks every field. Controller and replay share it, so both run with the same numbers.
///
/// @param[in]  message    anything
/// @param[in]  period_us  of the loop
/// @param[out] config     unchanged if the message is refused
template <class Scalar>
ConfigRefusal ConfigFromWire(const wire::Config& message, std::uint32_t period_us, Config<Scalar>* config) noexcept;

/// The reverse: the message that ConfigFromWire turns into `config`. Pacing by clock, telemetry every tick.
wire::Config ConfigToWire(const Config<double>& config) noexcept;

extern template ConfigRefusal ConfigFromWire(const wire::Config&, std::uint32_t, Config<double>*) noexcept;
extern template ConfigRefusal ConfigFromWire(const wire::Config&, std::uint32_t, Config<float>*) noexcept;

}  // namespace tactus::servo
