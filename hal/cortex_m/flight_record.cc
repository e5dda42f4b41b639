#include "hal/cortex_m/flight_record.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "hal/cortex_m/registers.h"
#include "tactus/core/crc32.h"

extern "C" {
extern const char code_begin_symbol[], code_end_symbol[];
extern std::uint32_t stack_guard_symbol[], stack_top_symbol[];
}

namespace tactus::hal::cortex_m {
namespace {

constexpr std::uint32_t kFresh = 0x7AC7F11Eu, kTaken = 0x7AC7D04Eu;  // Slot::magic of a valid slot
constexpr std::uint32_t kWriting = 0x3217E1E5u;                      // `writing`: a record has been begun

struct Slot {
  volatile std::uint32_t magic;
  std::uint32_t crc;  // of what follows
  std::uint32_t sequence;
  FlightRecord record;
};

/// A number that a wrong bit does not change unseen.
struct CheckedCount {
  std::uint32_t value, inverse;
};

struct NoteRing {
  std::uint32_t written;  // modulo 2^32
  TickNote notes[FlightRecord::kTicks];
};

[[gnu::section(".noinit")]] volatile std::uint32_t writing;
[[gnu::section(".noinit")]] Slot slots[2];
[[gnu::section(".noinit")]] CheckedCount starts;
[[gnu::section(".noinit")]] NoteRing ring;

constexpr FlightRecord MakeRecord(FaultCause cause) {
  FlightRecord record{};
  record.cause = cause;
  return record;
}
constexpr FlightRecord kNoFault = MakeRecord(FaultCause::kNone), kTorn = MakeRecord(FaultCause::kTornRecord);

/// The words that the core pushes when it takes an exception (Armv7-M, B1.5.6).
struct ExceptionFrame {
  std::uint32_t r0, r1, r2, r3, r12, lr, pc, psr;
};

constexpr std::uint32_t kStackingFailed = (1u << 4) | (1u << 12);      // CFSR: MSTKERR, STKERR
constexpr std::uint32_t kMmfarValid = 1u << 7, kBfarValid = 1u << 15;  // CFSR

std::uint32_t CrcOf(const Slot& slot) {
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(&slot.sequence);
  return Crc32({begin, sizeof(Slot) - offsetof(Slot, sequence)});
}

bool IsValid(const Slot& slot) { return (slot.magic == kFresh || slot.magic == kTaken) && slot.crc == CrcOf(slot); }

/// The valid slot that was written last; nullptr: none is valid.
Slot* Newest() {
  Slot* newest = nullptr;
  for (Slot& slot : slots) {
    const bool newer = newest == nullptr || static_cast<std::int32_t>(slot.sequence - newest->sequence) > 0;
    if (IsValid(slot) && newer) newest = &slot;
  }
  return newest;
}

/// The valid slot that nobody has taken; nullptr: there is none.
Slot* Fresh() {
  for (Slot& slot : slots) {
    if (slot.magic == kFresh && IsValid(slot)) return &slot;
  }
  return nullptr;
}

bool IsText(const char* text) { return code_begin_symbol < text && text < code_end_symbol; }

void CopyText(const char* text, char (&room)[64]) {
  for (unsigned i = 0; i + 1 < sizeof(room) && IsText(text) && *text != '\0'; ++i) room[i] = *text++;
}

void CopyNotes(FlightRecord* record) {
  record->tick_count = std::min(ring.written, FlightRecord::kTicks);
  for (std::uint32_t i = 0; i < record->tick_count; ++i)
    record->ticks[i] = ring.notes[(ring.written - record->tick_count + i) % FlightRecord::kTicks];
}

/// The frame lies where the stack pointer was, if that was a place in the stack.
void CopyFrame(std::uint32_t stack_pointer, FlightRecord* record) {
  const auto bottom = reinterpret_cast<std::uint32_t>(stack_guard_symbol);
  const auto top = reinterpret_cast<std::uint32_t>(stack_top_symbol);
  record->stack_pointer = stack_pointer;
  const bool in_stack = bottom <= stack_pointer && stack_pointer <= top - sizeof(ExceptionFrame) && stack_pointer % 4 == 0;
  if ((record->cfsr & kStackingFailed) != 0 || !in_stack) return;
  const auto* const frame = reinterpret_cast<const ExceptionFrame*>(stack_pointer);
  record->pc = frame->pc;
  record->lr = frame->lr;
  record->psr = frame->psr;
}

void FillRecord(const FaultSite& site, FlightRecord* record) {
  *record = FlightRecord{};
  record->start = Starts();
  record->cause = site.cause != FaultCause::kNone ? site.cause : FaultCause::kUnexpected;
  record->cfsr = Scb().cfsr;
  record->hfsr = Scb().hfsr;
  if ((record->cfsr & kMmfarValid) != 0) record->address = Scb().mmfar;
  if ((record->cfsr & kBfarValid) != 0) record->address = Scb().bfar;
  record->detail = site.detail;
  record->lr = site.lr;
  if (site.stack_pointer != 0) CopyFrame(site.stack_pointer, record);
  CopyText(site.text, record->text);
  CopyNotes(record);
}

void Barrier() { asm volatile("dsb" ::: "memory"); }

}  // namespace

void NoinitFlightRecorder::DoNote(const TickNote& note) noexcept {
  ring.notes[ring.written % FlightRecord::kTicks] = note;
  ring.written = ring.written + 1;
}

const FlightRecord& RecordFault(const FaultSite& site) {
  writing = kWriting;
  Barrier();
  if (const Slot* const first = Fresh(); first != nullptr) return first->record;
  const Slot* const newest = Newest();
  Slot& slot = newest == &slots[0] ? slots[1] : slots[0];
  slot.magic = 0;
  Barrier();
  FillRecord(site, &slot.record);
  slot.sequence = newest != nullptr ? newest->sequence + 1 : 1;
  slot.crc = CrcOf(slot);
  Barrier();
  slot.magic = kFresh;
  return slot.record;
}

const FlightRecord& TakeFlightRecord() {
  if ((SysTick().csr & kSysTickEnabled) != 0) ReportFault(FaultCause::kNoReset, 1);
  starts.value = Starts() + 1;
  starts.inverse = ~starts.value;
  ring.written = 0;
  const bool torn = writing == kWriting;
  writing = 0;
  Slot* const fresh = Fresh();
  if (fresh == nullptr) return torn ? kTorn : kNoFault;
  fresh->magic = kTaken;
  return fresh->record;
}

const FlightRecord* NewestFlightRecord() {
  const Slot* const newest = Newest();
  return newest != nullptr ? &newest->record : nullptr;
}

std::uint32_t Starts() { return starts.inverse == ~starts.value ? starts.value : 0; }

}  // namespace tactus::hal::cortex_m
