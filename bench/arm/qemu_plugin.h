/* What our plugins use of QEMU's plugin API, version 1 (docs/devel/tcg-plugins): Debian has no header of it.
 */
#ifndef BENCH_ARM_QEMU_PLUGIN_H_
#define BENCH_ARM_QEMU_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { QEMU_PLUGIN_INLINE_ADD_U64 = 0, QEMU_PLUGIN_CB_NO_REGS = 0 };

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
extern struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
extern const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn*);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                                  void (*)(qemu_plugin_id_t, struct qemu_plugin_tb*));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb*, void (*)(unsigned, void*), int flags,
                                                 void*);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb*, int op, void*, uint64_t);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*, void (*)(unsigned, void*),
                                                   int flags, void*);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn*, int op, void*, uint64_t);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void*), void*);
extern void qemu_plugin_outs(const char*);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;

#endif
