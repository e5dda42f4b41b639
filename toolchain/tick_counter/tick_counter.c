// A plugin for QEMU's code generator (TCG) that counts the instructions a Cortex-M executes between two functions, once for
// each servo tick. They are instructions, not cycles: no cache, wait state or dual issue is modelled.
//
//     qemu-system-arm ... -plugin tick_counter.so,begin=0x2a0,end=0x2b0,out=ticks.txt
//
// begin, end: addresses of tactus_tick_begin and tactus_tick_end. out: one decimal count a line, one line a tick, complete
// when QEMU exits. The two markers themselves are not counted; interrupts taken in between are.
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The part of QEMU's plugin interface that is used here, version 1 (QEMU 6.0 and later). Debian ships no qemu-plugin.h.
typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* tb);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn* insn);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn* insn, void (*cb)(unsigned int vcpu, void* user),
                                            enum qemu_plugin_cb_flags flags, void* user);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn* insn, enum qemu_plugin_op op, void* address,
                                                uint64_t addend);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, void*), void* user);

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv);

// One Cortex-M core: QEMU calls back from its one vCPU thread.
static uint64_t begin_address, end_address;
static uint64_t executed;     // instructions since the start; incremented by generated code
static uint64_t begin_count;  // `executed` at the last begin marker
static bool inside;           // between begin and end
static FILE* output;

static void OnBegin(unsigned int vcpu, void* user) {
  (void)vcpu, (void)user;
  begin_count = executed;
  inside = true;
}

static void OnEnd(unsigned int vcpu, void* user) {
  (void)vcpu, (void)user;
  if (inside) fprintf(output, "%" PRIu64 "\n", executed - begin_count);
  inside = false;
}

static void OnTranslate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
    const uint64_t address = qemu_plugin_insn_vaddr(instruction);
    if (address == begin_address) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, OnBegin, QEMU_PLUGIN_CB_NO_REGS, NULL);
    } else if (address == end_address) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, OnEnd, QEMU_PLUGIN_CB_NO_REGS, NULL);
    } else {
      qemu_plugin_register_vcpu_insn_exec_inline(instruction, QEMU_PLUGIN_INLINE_ADD_U64, &executed, 1);
    }
  }
}

static void OnExit(qemu_plugin_id_t id, void* user) {
  (void)id, (void)user;
  if (fclose(output) != 0) fprintf(stderr, "tick_counter: cannot write the counts\n");
}

static bool ParseAddress(const char* text, uint64_t* address) {
  char* rest = NULL;
  *address = strtoull(text, &rest, 0) & ~UINT64_C(1);  // a Thumb symbol has bit 0 set
  return rest != text && *rest == '\0';
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
  (void)info;
  bool has_begin = false, has_end = false;
  const char* path = NULL;
  for (int i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "begin=", 6) == 0)
      has_begin = ParseAddress(argv[i] + 6, &begin_address);
    else if (strncmp(argv[i], "end=", 4) == 0)
      has_end = ParseAddress(argv[i] + 4, &end_address);
    else if (strncmp(argv[i], "out=", 4) == 0)
      path = argv[i] + 4;
  }
  if (!has_begin || !has_end || path == NULL) {
    fprintf(stderr, "tick_counter: needs begin=ADDRESS,end=ADDRESS,out=FILE\n");
    return -1;
  }
  output = fopen(path, "w");
  if (output == NULL) {
    fprintf(stderr, "tick_counter: cannot open %s\n", path);
    return -1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, OnTranslate);
  qemu_plugin_register_atexit_cb(id, OnExit, NULL);
  return 0;
}
