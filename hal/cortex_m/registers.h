#pragma once
#include <cstdint>

// The registers of an Armv7-M core that Tactus uses, by hand from the Armv7-M Architecture Reference Manual (ARM DDI 0403E).

namespace tactus::hal::cortex_m {

using Register = volatile std::uint32_t;

/// System control block, B3.2.
struct SystemControl {
  Register cpuid, icsr, vtor, aircr, scr, ccr;
  Register shpr[3];  ///< priorities of exceptions 4 to 15, one byte each
  Register shcsr, cfsr, hfsr, dfsr, mmfar, bfar, afsr;
  Register features[18];
  Register cpacr;
};
static_assert(sizeof(SystemControl) == 0x8c);

/// System timer, B3.3.
struct SysTickTimer {
  Register csr, rvr, cvr, calib;
};

/// Memory protection unit, B3.5.
struct MemoryProtection {
  Register type, ctrl, rnr, rbar, rasr;
};

/// Interrupt controller, B3.4: only what switches an interrupt on and gives it a priority.
struct InterruptController {
  Register iser[32];
  Register gap_to_ipr[160];
  volatile std::uint8_t ipr[496];
};

inline SystemControl& Scb() { return *reinterpret_cast<SystemControl*>(0xE000ED00u); }
inline SysTickTimer& SysTick() { return *reinterpret_cast<SysTickTimer*>(0xE000E010u); }
inline MemoryProtection& Mpu() { return *reinterpret_cast<MemoryProtection*>(0xE000ED90u); }
inline InterruptController& Nvic() { return *reinterpret_cast<InterruptController*>(0xE000E100u); }

inline constexpr std::uint32_t kSysTickEnabled = 1u;  // csr
inline constexpr std::uint32_t kIcsrPendSvSet = 1u << 28;
inline constexpr std::uint32_t kAircrSystemReset = 0x05FA0004u;  // with the key that the register wants
inline constexpr std::uint32_t kShcsrFaultsEnabled = 7u << 16;   // MemManage, BusFault, UsageFault
inline constexpr std::uint32_t kCcrDivideByZeroTraps = 1u << 4;
inline constexpr std::uint32_t kCpacrFpuEnabled = 0xFu << 20;  // CP10, CP11: full access

}  // namespace tactus::hal::cortex_m
