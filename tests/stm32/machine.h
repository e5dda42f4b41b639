#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

// Register models: what the manuals say that a block does, for drivers that are compiled with ModelRegister instead of
// volatile words. Each access goes to the model of its block, and is noted.

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

struct Access {
  std::string block;
  std::size_t offset;  ///< [B]
  bool is_write;
  std::uint32_t value;
};

/// A block of registers. `registers()` is its memory.
class Block {
 public:
  Block(Machine& machine, std::string name, void* begin, std::size_t size);
  virtual ~Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const std::string& name() const { return name_; }

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
  Machine() { current_ = this; }
  ~Machine() { current_ = nullptr; }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  static Machine& Current() { return *current_; }

  std::uint32_t Read(const ModelRegister* place) {
    Block& block = BlockOf(place);
    StepAll();
    const std::size_t offset = OffsetIn(block, place);
    const std::uint32_t value = block.Read(offset, const_cast<ModelRegister*>(place)->bits);
    log.push_back({block.name(), offset, false, value});
    return value;
  }
  void Write(ModelRegister* place, std::uint32_t value) {
    Block& block = BlockOf(place);
    StepAll();
    const std::size_t offset = OffsetIn(block, place);
    log.push_back({block.name(), offset, true, value});
    block.Write(offset, value, place->bits);
  }

  /// Place in the log of the first write to a register of `block` in which `mask` gives `value`; -1: there is none.
  int FirstWrite(const std::string& block, std::size_t offset, std::uint32_t mask, std::uint32_t value) const {
    for (std::size_t i = 0; i < log.size(); ++i) {
      const Access& a = log[i];
      if (a.is_write && a.block == block && a.offset == offset && (a.value & mask) == value) return static_cast<int>(i);
    }
    return -1;
  }

  std::vector<Access> log;
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

/// A block with the registers of a driver's header: Holding<f4::RccRegisters>. Its memory is made before the block.
template <template <class> class Registers>
struct Memory {
  Registers<ModelRegister> registers{};
};
template <template <class> class Registers>
class Holding : private Memory<Registers>, public Block {
 public:
  Holding(Machine& machine, std::string name)
      : Block(machine, std::move(name), &this->Memory<Registers>::registers, sizeof(Registers<ModelRegister>)) {}

  Registers<ModelRegister>& regs() { return this->Memory<Registers>::registers; }
  const Registers<ModelRegister>& regs() const { return this->Memory<Registers>::registers; }
};

}  // namespace tactus::hal::stm32::model

/// Offset [B] of a register in its block.
#define TACTUS_AT(Registers, field) offsetof(Registers<std::uint32_t>, field)
