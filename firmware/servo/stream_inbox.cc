// A piece is judged in this order, and the first reason is told: session, sequence, header, age, place of the piece,
// contacts; with the last piece the checksum over all. The frame's own CRC-32 has been checked; the set's says that its
// pieces belong together.
#include "firmware/servo/stream_inbox.h"

#include <bit>
#include <cstddef>
#include <cstring>

#include "tactus/core/crc32.h"
#include "tactus/core/widen.h"

namespace tactus::servo {
namespace {

using wire::AckCode;

constexpr double kUnit = 1e-4;  // |n|² and |q|² may be off 1 by so much: 32 bits are 1e-7

/// Offset of a field of ContactSet: the struct's own layout, which is the wire's.
constexpr std::uint16_t kRadius = 72, kMass = 76, kAge = 88, kBodies = 90, kContacts = 91, kPiece = 92, kPose = 16,
                        kOrientation = 40, kTick = 8, kCrcField = 12, kFirstContact = 96;

/// What a number has to be within, [low, high]; in single precision too, at compile time: a set comes while the tick runs,
/// and a processor without double hardware has no time to convert.
struct Bounds {
  consteval Bounds(double least, double most)
      : low(static_cast<float>(least)), high(static_cast<float>(most)), lowest(least), highest(most) {}
  float low, high;
  double lowest, highest;
};

/// @returns accepted, or what is wrong
StreamAnswer Check(float value, std::size_t field, const Bounds& bounds) {
  const auto offset = static_cast<std::uint16_t>(field);
  if (!(value - value == 0)) return {.code = AckCode::kNotFinite, .field = offset};
  if (value < bounds.low) return {.code = AckCode::kOutOfRange, .field = offset, .limit = bounds.lowest};
  if (value > bounds.high) return {.code = AckCode::kOutOfRange, .field = offset, .limit = bounds.highest};
  return {};
}
bool IsRefused(const StreamAnswer& answer) { return answer.code != AckCode::kAccepted; }

static_assert(sizeof(StreamedContact) == sizeof(wire::StreamedContact) &&
              kFirstContact + 8 * 48 == sizeof(wire::ContactSet));

/// Judged by its square; the limit that is told is the length's own.
StreamAnswer CheckLength(float squared, std::uint16_t field, const Bounds& of_square, double limit) {
  StreamAnswer answer = Check(squared, field, of_square);
  if (answer.code == AckCode::kOutOfRange) answer.limit = limit;
  return answer;
}
StreamAnswer CheckUnit(float squared, std::uint16_t field) { return CheckLength(squared, field, {1 - kUnit, 1 + kUnit}, 1); }

StreamAnswer CheckPose(const wire::ContactSet& piece) {
  for (std::uint16_t i = 0; i < 3; ++i) {
    if (const StreamAnswer a = Check(NarrowToFloat(piece.p_WT_m()->Get(i)), kPose + 8u * i, {-10.0, 10.0}); IsRefused(a))
      return a;
  }
  float squared = 0;
  for (std::uint16_t i = 0; i < 4; ++i) {
    const float q = NarrowToFloat(piece.q_WT()->Get(i));
    if (const StreamAnswer a = Check(q, kOrientation + 8u * i, {-2.0, 2.0}); IsRefused(a)) return a;
    squared += q * q;
  }
  return CheckUnit(squared, kOrientation);
}

StreamAnswer CheckHeader(const wire::ContactSet& piece) {
  if (piece.contacts() > kStreamedContacts)
    return {.code = AckCode::kOverCapacity, .field = kContacts, .limit = double{kStreamedContacts}};
  if (piece.bodies() > kStreamedBodyRoom)
    return {.code = AckCode::kOverCapacity, .field = kBodies, .limit = double{kStreamedBodyRoom}};
  if (const StreamAnswer a = CheckPose(piece); IsRefused(a)) return a;
  if (const StreamAnswer a = Check(piece.radius_m(), kRadius, {1e-5, kMaxStreamedRadius_m}); IsRefused(a)) return a;
  const auto age_limit_ticks = static_cast<float>(piece.age_limit_ticks());
  if (const StreamAnswer a = Check(age_limit_ticks, kAge, {1.0, double{kMaxStreamedAge_ticks}}); IsRefused(a)) return a;
  for (std::uint16_t i = 0; i < piece.bodies(); ++i) {
    const float mass_kg = piece.mass_kg()->Get(i);
    if (const StreamAnswer a = Check(mass_kg, kMass + 4u * i, {kMinStreamedMass_kg, kMaxStreamedMass_kg}); IsRefused(a))
      return a;
  }
  return {};
}

/// @param at  offset of the contact in the payload
StreamAnswer CheckContact(const StreamedContact& contact, const StreamedSet& set, std::uint16_t at) {
  float reach2 = 0, normal2 = 0, speed2 = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const float p = contact.point_m[i], n = contact.normal[i], w = contact.surface_velocity_mps[i];
    if (const StreamAnswer a = Check(p, at + 4 * i, {-20.0, 20.0}); IsRefused(a)) return a;
    if (const StreamAnswer a = Check(n, at + 12 + 4 * i, {-2.0, 2.0}); IsRefused(a)) return a;
    if (const StreamAnswer a = Check(w, at + 32 + 4 * i, {-kMaxStreamedSpeed_mps, kMaxStreamedSpeed_mps}); IsRefused(a))
      return a;
    const float arm_m = p - NarrowToFloat(set.p_WT_m[i]);
    reach2 += arm_m * arm_m, normal2 += n * n, speed2 += w * w;
  }
  const auto field = [at](int offset) { return static_cast<std::uint16_t>(at + offset); };
  constexpr double kReach2 = kMaxStreamedReach_m * kMaxStreamedReach_m,
                   kSpeed2 = kMaxStreamedSpeed_mps * kMaxStreamedSpeed_mps;
  if (const StreamAnswer a = CheckLength(reach2, at, {0.0, kReach2}, kMaxStreamedReach_m); IsRefused(a)) return a;
  if (const StreamAnswer a = CheckUnit(normal2, field(12)); IsRefused(a)) return a;
  if (const StreamAnswer a = Check(contact.gap_m, field(24), {-kMaxStreamedOverlap_m, kMaxStreamedGap_m}); IsRefused(a))
    return a;
  if (const StreamAnswer a = Check(contact.friction, field(28), {0.0, kMaxStreamedFriction}); IsRefused(a)) return a;
  if (const StreamAnswer a = CheckLength(speed2, field(32), {0.0, kSpeed2}, kMaxStreamedSpeed_mps); IsRefused(a)) return a;
  const int last = set.mass_kg.size() - 1;
  if (contact.body >= kFixed && contact.body <= last) return {};
  const auto limit = static_cast<float>(contact.body < kFixed ? kFixed : last);
  return {.code = AckCode::kOutOfRange, .field = field(44), .limit = Widen(limit)};
}

StreamedSet HeaderOf(const wire::ContactSet& piece) {
  StreamedSet set;
  set.sequence = piece.sequence();
  set.tick = piece.tick();
  for (std::uint16_t i = 0; i < 3; ++i) set.p_WT_m[i] = piece.p_WT_m()->Get(i);
  for (std::uint16_t i = 0; i < 4; ++i) set.q_WT[i] = piece.q_WT()->Get(i);
  set.radius_m = piece.radius_m();
  set.age_limit_ticks = piece.age_limit_ticks();
  for (std::uint16_t i = 0; i < piece.bodies(); ++i)
    (void)set.mass_kg.push_back(piece.mass_kg()->Get(i));  // has been checked
  return set;
}

bool SameHeader(const StreamedSet& a, const StreamedSet& b) {
  bool same = a.sequence == b.sequence && a.tick == b.tick && !(a.radius_m != b.radius_m) &&
              a.age_limit_ticks == b.age_limit_ticks && a.mass_kg.size() == b.mass_kg.size();
  for (int i = 0; same && i < a.mass_kg.size(); ++i) same = !(a.mass_kg[i] != b.mass_kg[i]);
  const auto same_bits = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  for (std::size_t i = 0; i < 3; ++i) same = same && same_bits(a.p_WT_m[i], b.p_WT_m[i]);
  for (std::size_t i = 0; i < 4; ++i) same = same && same_bits(a.q_WT[i], b.q_WT[i]);
  return same;
}

}  // namespace

void StreamInbox::Open(std::uint32_t session) noexcept { *this = StreamInbox{}, session_ = session; }

StreamAnswer StreamInbox::Take(const wire::ContactSet& piece, std::uint32_t ticks) noexcept {
  const StreamAnswer answer = Judge(piece, ticks);
  if (IsRefused(answer)) ++refused_;
  return answer;
}

StreamAnswer StreamInbox::Judge(const wire::ContactSet& piece, std::uint32_t ticks) noexcept {
  if (session_ == 0 || piece.session() != session_) return {.code = AckCode::kWrongSession};
  const std::uint32_t ahead = piece.sequence() - last_sequence_;
  if (ahead == 0 || ahead > 0x7FFFFFFFu) return {.code = AckCode::kNotNewer};
  if (const StreamAnswer a = CheckHeader(piece); IsRefused(a)) return Forget(), a;
  const std::uint32_t age_ticks = ticks - piece.tick();
  if (age_ticks > 0x7FFFFFFFu) return Forget(), StreamAnswer{.code = AckCode::kOutOfRange, .field = kTick};
  if (age_ticks > piece.age_limit_ticks()) return Forget(), StreamAnswer{.code = AckCode::kTooOld, .field = kTick};
  const StreamAnswer answer = Join(piece);
  if (IsRefused(answer)) Forget();
  return answer;
}

/// The piece is the first of a set, or the one that its set waits for.
StreamAnswer StreamInbox::Join(const wire::ContactSet& piece) noexcept {
  const StreamedSet header = HeaderOf(piece);
  const int from = kInPiece * piece.piece();
  if (piece.piece() > 1 || (piece.piece() == 1 && piece.contacts() <= kInPiece))
    return {.code = AckCode::kOutOfRange, .field = kPiece, .limit = piece.contacts() > kInPiece ? 1.0 : 0.0};
  if (piece.piece() == 0) {
    pending_ = header;
    pending_crc_ = piece.contacts_crc();
    pending_contacts_ = piece.contacts();
    crc_ = 0;
  } else if (expected_piece_ != 1 || !SameHeader(pending_, header) || piece.contacts() != pending_contacts_ ||
             piece.contacts_crc() != pending_crc_) {
    return {.code = AckCode::kTorn, .field = kPiece};
  }
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&piece) + kFirstContact;
  for (int i = from; i < piece.contacts() && i < from + kInPiece; ++i) {
    const std::size_t offset = sizeof(StreamedContact) * static_cast<std::size_t>(i - from);
    StreamedContact contact;
    std::memcpy(&contact, bytes + offset, sizeof(contact));
    if (const StreamAnswer a = CheckContact(contact, pending_, static_cast<std::uint16_t>(kFirstContact + offset));
        IsRefused(a))
      return a;
    crc_ = Crc32({bytes + offset, sizeof(contact)}, crc_);
    (void)pending_.contacts.push_back(contact);  // the number has been checked
  }
  if (pending_.contacts.size() < pending_contacts_) {
    expected_piece_ = 1;
    return {};
  }
  return Finish();
}

StreamAnswer StreamInbox::Finish() noexcept {
  if (crc_ != pending_crc_) return {.code = AckCode::kTorn, .field = kCrcField};
  Forget();
  last_sequence_ = pending_.sequence;
  return {.complete = true};
}

}  // namespace tactus::servo
