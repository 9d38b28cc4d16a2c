/* A plugin for qemu-user that counts the instructions which a program executes between its marks (mark.h).
 *
 *   qemu-aarch64 -plugin ./libcount_instructions.so -d plugin ./program
 *
 * At every mark it writes a line to QEMU's log, on stderr unless -D names a file: "mark N", with the number
 * of instructions executed so far. The number is the same in every run of a program with one thread, on a
 * loaded machine too. It knows nothing of caches and stalls. The last line is "all N", of the whole program.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "qemu_plugin.h"

static uint64_t executed;

/* hint #127 of AArch64; nop.w with hint 127 of Thumb-2, its first half word first. */
static int is_mark(const struct qemu_plugin_insn* insn) {
  static const uint8_t aarch64[] = {0xff, 0x2f, 0x03, 0xd5}, thumb[] = {0xaf, 0xf3, 0x7f, 0x80};
  const void* code = qemu_plugin_insn_data(insn);
  return qemu_plugin_insn_size(insn) == 4 && (memcmp(code, aarch64, 4) == 0 || memcmp(code, thumb, 4) == 0);
}

static void passed_mark(unsigned vcpu, void* unused) {
  char line[40];
  (void)vcpu, (void)unused;
  snprintf(line, sizeof line, "mark %" PRIu64 "\n", executed);
  qemu_plugin_outs(line);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb* tb) {
  const size_t insns = qemu_plugin_tb_n_insns(tb);
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &executed, insns);
  for (size_t i = 0; i < insns; ++i) {
    struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(tb, i);
    if (is_mark(insn))
      qemu_plugin_register_vcpu_insn_exec_cb(insn, passed_mark, QEMU_PLUGIN_CB_NO_REGS, NULL);
  }
}

static void ended(qemu_plugin_id_t id, void* unused) {
  char line[40];
  (void)id, (void)unused;
  snprintf(line, sizeof line, "all %" PRIu64 "\n", executed);
  qemu_plugin_outs(line);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv) {
  (void)info, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
