#include "examples/minimal/embedded_model.h"

// The assembler copies the file; EMBEDDED_MODEL_FILE is its path, from the build.
asm(".section .rodata\n"
    ".balign 64\n"
    ".globl embedded_model\n"
    "embedded_model:\n"
    ".incbin \"" EMBEDDED_MODEL_FILE
    "\"\n"
    ".globl embedded_model_end\n"
    "embedded_model_end:\n"
    ".byte 0\n"
    ".text\n");
