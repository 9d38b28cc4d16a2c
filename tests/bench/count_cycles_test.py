"""bench/arm/count_cycles.py and its plugin on a program whose instructions are known. Exit code 77 without the tools."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.join(sys.argv[1], 'bench', 'arm')
sys.path.insert(0, FOLDER)
import count_cycles  # noqa: E402

# Three rounds of a loop: two loads behind each other, one alone, a division, a product with a sum in floats; then eight registers.
PROGRAM = """
  .syntax unified
  .cpu cortex-m4
  .fpu fpv4-sp-d16
  .thumb
  .section .vectors, "a"
  .word 0x20010000
  .word start
  .text
  .thumb_func
start:
  ldr r0, =0xe000ed88
  ldr r1, =0x00f00000
  str r1, [r0]          @ the floating-point unit is on
  isb
  ldr r4, =0x20000000
  movs r5, #3
  .global begin, end
begin:
loop:
  ldr r0, [r4]
  ldr.w r1, [r4, #4]
  add r1, r1, #1
  strb r1, [r4, #8]
  sdiv r2, r0, r1
  vmla.f32 s0, s1, s2
  subs r5, r5, #1
  bne loop
  push {r0-r7}
  vdiv.f32 s0, s1, s2
  ldrd r0, r1, [r4]
end:
  nop
  movs r0, #0x18
  ldr r1, =0x20026
  bkpt 0xab
"""
EXPECTED = {'instructions': 27, 'single': 9, 'pipelined': 3, 'registers': 10, 'taken': 2, 'divide': 3, 'float_mac': 3, 'float_long': 1}


class CountCycles(unittest.TestCase):
    def test_instructions_are_counted_by_what_they_cost(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program, plugin, log = (os.path.join(folder, name) for name in ('a.s', 'a.elf', 'lib.so', 'log'))
            with open(source, 'w') as f:
                f.write(PROGRAM)
            subprocess.run(['arm-none-eabi-gcc', '-nostdlib', '-mcpu=cortex-m4', '-Wl,-N,-Ttext=0x100', '-Wl,--section-start=.vectors=0',
                            source, '-o', program], check=True, stderr=subprocess.PIPE)
            subprocess.run(['gcc', '-O1', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', os.path.join(FOLDER, 'count_cycles.c'), '-o', plugin],
                           check=True)
            begin, end = (count_cycles.address_of(program, name) for name in ('begin', 'end'))
            subprocess.run(['qemu-system-arm', '-M', 'mps2-an386', '-nographic', '-monitor', 'none', '-serial', 'none', '-semihosting',
                            '-plugin', f'{plugin},begin={begin:#x},end={end:#x}', '-d', 'plugin', '-D', log, '-kernel', program],
                           check=True, timeout=60)
            with open(log) as f:
                self.assertEqual(count_cycles.pairs(f.read()), EXPECTED)

    def test_cycles_lie_between_two_numbers(self):
        # 27 + 9 - 3 + 10 + 2 + 3 + 6 + 13, and with nothing that overlaps, slow branches and divisions.
        self.assertEqual(count_cycles.cycles_of(EXPECTED), (67, 27 + 9 + 10 + 6 + 33 + 6 + 13))


if not all(shutil.which(tool) for tool in ('arm-none-eabi-gcc', 'qemu-system-arm', 'gcc')):
    sys.exit(77)
unittest.main(argv=sys.argv[:1])
