#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Register models: what the manuals say that a block does, for drivers that are compiled with ModelRegister instead of
// volatile words. Each access goes to the model of its block; writes are noted. A model has its own numbers for bits, from
// the manual: with those of the driver's header it would agree with a header that is wrong.

namespace tactus::hal::stm32::model {

class Machine;

/// A register as the drivers see it: as large as one, and at the same place in its block.
class ModelRegister {
 public:
  ModelRegister() = default;
  ModelRegister(const ModelRegister&) = delete;
  ModelRegister& operator=(const ModelRegister&) = delete;
  operator std::uint32_t() const;
  ModelRegister& operator=(std::uint32_t value);

  std::uint32_t bits = 0;  ///< for the models: without an access
};
static_assert(sizeof(ModelRegister) == 4);

/// A write.
struct Access {
  std::string block;
  std::size_t offset;  ///< [B]
  std::uint32_t value;
};

/// A write of a start that does not arrive as the driver made it. Machine::next_fault says which.
struct WriteFault {
  int number = -1;            ///< of the start's writes, from 0 on; -1: none
  std::uint32_t flipped = 0;  ///< bits that arrive turned over; 0: the write is lost
};

/// A block of registers.
class Block {
 public:
  Block(Machine& machine, std::string name, void* begin, std::size_t size);
  virtual ~Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const std::string& name() const { return name_; }

  /// Whether the block's clock is on. Without it writes are lost and 0 is read (RM0090 7.3.10, RM0433 8.5.12,
  /// RM0440 7.2.17).
  std::function<bool()> has_clock = [] { return true; };

  /// What is read; `bits` is the register's own.
  virtual std::uint32_t Read(std::size_t offset, std::uint32_t& bits) {
    (void)offset;
    return bits;
  }
  virtual void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) {
    (void)offset;
    bits = value;
  }
  /// Some time has gone by: a register has been touched somewhere.
  virtual void Step() {}

 protected:
  /// The program has done what the manual forbids.
  void Violate(const std::string& what);

  Machine& machine_;

 private:
  friend class Machine;
  std::string name_;
  std::uintptr_t begin_, end_;
};

/// All blocks of a chip, and what was done to them. One at a time.
class Machine {
 public:
  Machine() : fault_(std::exchange(next_fault, {})) { current_ = this; }
  ~Machine() { current_ = nullptr; }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  static Machine& Current() { return *current_; }

  std::uint32_t Read(const ModelRegister* place) {
    Block& block = BlockOf(place);
    StepAll();
    const std::size_t offset = OffsetIn(block, place);
    ++accesses;
    return block.has_clock() ? block.Read(offset, const_cast<ModelRegister*>(place)->bits) : 0u;
  }
  void Write(ModelRegister* place, std::uint32_t value) {
    Block& block = BlockOf(place);
    StepAll();
    const std::size_t offset = OffsetIn(block, place);
    ++accesses;
    log.push_back({block.name(), offset, value});
    const bool is_broken = starting_ && writes_++ == fault_.number;
    if (is_broken && fault_.flipped == 0) return;
    if (block.has_clock()) block.Write(offset, is_broken ? value ^ fault_.flipped : value, place->bits);
  }

  /// What a WriteFault hits begins when the machine is made, or here, and ends here.
  void BeginStart() {
    starting_ = true;
    writes_ = 0;
    log.clear();
  }
  void EndStart() {
    if (starting_) last_start = log;
    starting_ = false;
  }
  static inline WriteFault next_fault;           ///< of the machine that is made next
  static inline std::vector<Access> last_start;  ///< what was done until the last EndStart

  /// Place in the log of the first write to a register of `block` in which `mask` gives `value`; -1: there is none.
  int FirstWrite(const std::string& block, std::size_t offset, std::uint32_t mask, std::uint32_t value) const {
    for (std::size_t i = 0; i < log.size(); ++i) {
      const Access& a = log[i];
      if (a.block == block && a.offset == offset && (a.value & mask) == value) return static_cast<int>(i);
    }
    return -1;
  }

  std::size_t accesses = 0;  ///< reads and writes, so far
  std::vector<Access> log;   ///< the writes
  std::vector<std::string> violations;

 private:
  friend class Block;
  Block& BlockOf(const ModelRegister* place) {
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    for (Block* block : blocks_) {
      if (block->begin_ <= at && at < block->end_) return *block;
    }
    throw std::logic_error("a register of no block");
  }
  static std::size_t OffsetIn(const Block& block, const ModelRegister* place) {
    return reinterpret_cast<std::uintptr_t>(place) - block.begin_;
  }
  void StepAll() {
    for (Block* block : blocks_) block->Step();
  }

  static inline Machine* current_ = nullptr;
  std::vector<Block*> blocks_;
  WriteFault fault_;
  bool starting_ = true;
  int writes_ = 0;
};

inline Block::Block(Machine& machine, std::string name, void* begin, std::size_t size)
    : machine_(machine), name_(std::move(name)), begin_(reinterpret_cast<std::uintptr_t>(begin)), end_(begin_ + size) {
  machine.blocks_.push_back(this);
}
inline void Block::Violate(const std::string& what) { machine_.violations.push_back(name_ + ": " + what); }

inline ModelRegister::operator std::uint32_t() const { return Machine::Current().Read(this); }
inline ModelRegister& ModelRegister::operator=(std::uint32_t value) {
  Machine::Current().Write(this, value);
  return *this;
}

/// A block with the registers of a driver's header: Holding<f4::RccRegisters>; in memory of its own, made before the block,
/// or at a place that was mapped for it.
template <template <class> class Registers>
struct Memory {
  Registers<ModelRegister> memory{};
};
template <template <class> class Registers>
class Holding : private Memory<Registers>, public Block {
 public:
  Holding(Machine& machine, std::string name, Registers<ModelRegister>* place = nullptr)
      : Block(machine, std::move(name), place != nullptr ? place : &this->memory, sizeof(Registers<ModelRegister>)),
        registers_(place != nullptr ? *place : this->memory) {}

  Registers<ModelRegister>& regs() { return registers_; }
  const Registers<ModelRegister>& regs() const { return registers_; }

 private:
  Registers<ModelRegister>& registers_;
};

}  // namespace tactus::hal::stm32::model

/// Offset [B] of a register in its block.
#define TACTUS_AT(Registers, field) offsetof(Registers<std::uint32_t>, field)
