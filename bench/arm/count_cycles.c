/* A plugin for qemu-system-arm that counts the instructions which a Cortex-M executes between two addresses,
 * by what they cost in ARM's table of the Cortex-M4 (Technical Reference Manual, "Table of processor
 * instructions"; memory without wait states):
 *
 *   qemu-system-arm ... -plugin ./libcount_cycles.so,begin=0x2100,end=0x2e54 -d plugin
 *
 * When the second address is reached, it writes one line to QEMU's log: names and counts. count_cycles.py
 * makes cycles of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin.h"

enum Count {
  kInstructions,
  kSingle,    /* loads and stores of one register */
  kPipelined, /* of these, directly behind another one: its address and data phases overlap */
  kRegisters, /* of loads and stores of several registers */
  kTaken,     /* branches that were taken */
  kDivide,    /* SDIV, UDIV */
  kFloatMac,  /* VMLA, VFMA and the like */
  kFloatLong, /* VDIV, VSQRT */
  kCounts
};
static const char* const kNames[kCounts] = {"instructions", "single", "pipelined", "registers",
                                            "taken",        "divide", "float_mac", "float_long"};

static uint64_t counts[kCounts], at_begin[kCounts];
static uint64_t begin_address, end_address, next_address;
static int has_begun, has_ended;

static uint64_t bits_set(unsigned word) { return (uint64_t)__builtin_popcount(word); }

static void add(struct qemu_plugin_insn* insn, enum Count count, uint64_t n) {
  qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &counts[count], n);
}

/* What an instruction counts as beside itself; kInstructions: as nothing else. */
struct Kind {
  enum Count count;
  uint64_t n;
};

static struct Kind kind_of_short(unsigned code) {
  const unsigned high = code >> 8;
  if (high >= 0x48 && high <= 0x9f) return (struct Kind){kSingle, 1};
  if ((high & 0xf6) == 0xb4) return (struct Kind){kRegisters, bits_set(code & 0x1ff)}; /* PUSH, POP */
  if ((high & 0xf0) == 0xc0) return (struct Kind){kRegisters, bits_set(code & 0xff)};  /* STM, LDM */
  return (struct Kind){kInstructions, 0};
}

static struct Kind kind_of_float(unsigned first, unsigned second) {
  if ((first & 0xfe00) == 0xec00) {
    if ((first & 0x01e0) == 0x0040) return (struct Kind){kRegisters, 1}; /* VMOV of two registers */
    if ((first & 0x0120) == 0x0100) return (struct Kind){kSingle, 1};    /* VLDR, VSTR */
    return (struct Kind){kRegisters, second & 0xff};
  }
  if ((first & 0xff00) != 0xee00 || (second & 0x10) != 0) return (struct Kind){kInstructions, 0};
  switch (first & 0xb0) {
    case 0x80:
      return (struct Kind){kFloatLong, 1};
    case 0x00:
    case 0x10:
    case 0x90:
    case 0xa0:
      return (struct Kind){kFloatMac, 1};
    case 0xb0:
      return (first & 0xf) == 1 && (second & 0xc0) == 0xc0 ? (struct Kind){kFloatLong, 1}
                                                           : (struct Kind){kInstructions, 0};
    default:
      return (struct Kind){kInstructions, 0};
  }
}

static struct Kind kind_of_long(unsigned first, unsigned second) {
  if ((first & 0xec00) == 0xec00 && (second & 0x0e00) == 0x0a00) return kind_of_float(first, second);
  if ((first & 0xfe40) == 0xe800) return (struct Kind){kRegisters, bits_set(second)}; /* LDM, STM */
  if ((first & 0xfe40) == 0xe840) {
    const int is_pair = (first & 0x0120) != 0; /* LDRD, STRD; else exclusive ones, and tables of branches */
    return is_pair ? (struct Kind){kRegisters, 2} : (struct Kind){kSingle, 1};
  }
  if ((first & 0xfe00) == 0xf800) return (struct Kind){kSingle, 1};
  if ((first & 0xffd0) == 0xfb90 && (second & 0xf0) == 0xf0) return (struct Kind){kDivide, 1};
  return (struct Kind){kInstructions, 0};
}

static struct Kind kind_of(const struct qemu_plugin_insn* insn) {
  uint16_t code[2] = {0, 0};
  const size_t size = qemu_plugin_insn_size(insn);
  memcpy(code, qemu_plugin_insn_data(insn), size < sizeof code ? size : sizeof code);
  return size == 2 ? kind_of_short(code[0]) : kind_of_long(code[0], code[1]);
}

static void reached_begin(unsigned vcpu, void* unused) {
  (void)vcpu, (void)unused;
  if (has_begun) return;
  has_begun = 1;
  memcpy(at_begin, counts, sizeof counts);
}

static void reached_end(unsigned vcpu, void* unused) {
  char line[400];
  size_t length = 0;
  (void)vcpu, (void)unused;
  if (!has_begun || has_ended) return;
  has_ended = 1;
  for (int i = 0; i < kCounts; ++i)
    length += (size_t)snprintf(line + length, sizeof line - length, "%s %" PRIu64 "%c", kNames[i],
                               counts[i] - at_begin[i], i + 1 < kCounts ? ' ' : '\n');
  qemu_plugin_outs(line);
}

/* Blocks end behind branches: where the next one does not begin there, the branch was taken. */
struct Block {
  uint64_t begin, end;
};
static void entered(unsigned vcpu, void* data) {
  const struct Block* const block = data;
  (void)vcpu;
  if (next_address != 0 && block->begin != next_address) ++counts[kTaken];
  next_address = block->end;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb* tb) {
  const size_t insns = qemu_plugin_tb_n_insns(tb);
  struct qemu_plugin_insn* const last = qemu_plugin_tb_get_insn(tb, insns - 1);
  struct Block* const block = malloc(sizeof *block); /* as long as QEMU runs: it may execute a block again */
  int was_single = 0;
  (void)id;
  if (block == NULL) abort();
  block->begin = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
  block->end = qemu_plugin_insn_vaddr(last) + qemu_plugin_insn_size(last);
  qemu_plugin_register_vcpu_tb_exec_cb(tb, entered, QEMU_PLUGIN_CB_NO_REGS, block);
  for (size_t i = 0; i < insns; ++i) {
    struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(tb, i);
    const uint64_t address = qemu_plugin_insn_vaddr(insn);
    const struct Kind kind = kind_of(insn);
    if (address == begin_address)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_begin, QEMU_PLUGIN_CB_NO_REGS, NULL);
    if (address == end_address)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_end, QEMU_PLUGIN_CB_NO_REGS, NULL);
    add(insn, kInstructions, 1);
    if (kind.count != kInstructions) add(insn, kind.count, kind.n);
    if (kind.count == kSingle && was_single) add(insn, kPipelined, 1);
    was_single = kind.count == kSingle;
  }
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "begin=", 6) == 0) begin_address = strtoull(argv[i] + 6, NULL, 0) & ~UINT64_C(1);
    if (strncmp(argv[i], "end=", 4) == 0) end_address = strtoull(argv[i] + 4, NULL, 0) & ~UINT64_C(1);
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
