#include "examples/static_memory/model.h"

// The assembler copies the file; MODEL_FILE is its path, from the build.
asm(".section .model, \"a\"\n"
    ".balign 64\n"
    ".globl model_file\n"
    "model_file:\n"
    ".incbin \"" MODEL_FILE
    "\"\n"
    ".globl model_file_end\n"
    "model_file_end:\n"
    ".byte 0\n"
    ".text\n");
