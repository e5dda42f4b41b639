#include "host_tools/io/io_boards.h"

#include <string_view>

#include "host_tools/io/io_device.h"
#include "host_tools/io/io_mechanism.h"

namespace tactus::host {

std::unique_ptr<hal::Device> OpenIoBoard(const std::string& place, std::uint32_t period_us) {
  constexpr std::string_view kSet = ",set=";
  const std::size_t at = place.rfind(kSet);  // a path may have such words in it
  if (at != std::string::npos)
    return OpenIoMechanism(TtyPlaceOf(place.substr(0, at)), place.substr(at + kSet.size()), period_us);
  std::unique_ptr<TtyIoDevice> device = OpenIoDevice(place);
  CheckRate(device->hello(), TtyPlaceOf(place), period_us);
  return device;
}

}  // namespace tactus::host
