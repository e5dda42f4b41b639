#include "host_tools/io/serial_tty.h"

#include "host_tools/io/tty_orders.h"

namespace tactus::host {

SerialTty::SerialTty(const std::string& path, unsigned baud)
    : path_(path), tty_(std::make_unique<TtyLink>(OpenTty(path, baud))) {}

Status SerialTty::DoSetRate(std::uint32_t baud) noexcept { return SetTerminalRate(tty_->fd(), baud); }
Status SerialTty::DoSetDtr(bool high) noexcept { return SetTerminalDtr(tty_->fd(), high); }
Status SerialTty::DoSetRts(bool high) noexcept { return SetTerminalRts(tty_->fd(), high); }
Status SerialTty::DoSetLatency(std::uint32_t latency_ms) noexcept { return SetTerminalLatency(path_, latency_ms); }
Status SerialTty::DoPurge() noexcept { return PurgeTerminal(tty_->fd()); }

}  // namespace tactus::host
