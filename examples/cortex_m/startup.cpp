// What runs before main(): the same on all cores.

#include <cstddef>
#include <cstdint>

#include "examples/cortex_m/semihosting.h"
#include "examples/cortex_m/stack.h"

int main();

extern "C" {
// From the linker script.
extern uint32_t stack_begin[], stack_end[], data_begin[], data_end[], bss_begin[], bss_end[];
extern const uint32_t data_image[];

[[noreturn]] void Reset();
}

namespace {

constexpr uint32_t kPaint = 0xa5c3a5c3;

void EnableFloatingPoint() {
#if defined(__ARM_FP)
  constexpr uintptr_t kCoprocessorAccess = 0xe000ed88;
  auto& access = *reinterpret_cast<volatile uint32_t*>(kCoprocessorAccess);
  access = access | 0xfu << 20;
  asm volatile("dsb\n isb" ::: "memory");
#endif
}

// What lies below the frames in use, so that StackBytes() sees how far they came.
void PaintStack() {
  const uint32_t* const in_use = static_cast<uint32_t*>(__builtin_frame_address(0)) - 64;
  for (volatile uint32_t* word = stack_begin; word < in_use; ++word) *word = kPaint;
}

[[noreturn]] void Fault() {
  semihosting::Write("fault: the program did what the processor cannot do, or ran out of stack\n");
  semihosting::Exit(3);
}

}  // namespace

size_t StackBytes() {
  const volatile uint32_t* word = stack_begin;
  while (word < stack_end && *word == kPaint) ++word;
  return static_cast<size_t>(stack_end - word) * sizeof(uint32_t);
}

void Reset() {
  EnableFloatingPoint();
  for (size_t i = 0; data_begin + i < data_end; ++i) data_begin[i] = data_image[i];
  for (uint32_t* word = bss_begin; word < bss_end; ++word) *word = 0;
  PaintStack();
  semihosting::Exit(main());
}

// The first word is the stack, then come Reset and the exceptions of the core. No interrupt is enabled.
using Handler = void (*)();
struct VectorTable {
  uint32_t* stack;
  Handler handlers[15];
};
[[gnu::section(".vectors"), gnu::used]] const VectorTable kVectors = {
    stack_end,
    {Reset, Fault, Fault, Fault, Fault, Fault, Fault, Fault, Fault, Fault, Fault, Fault, Fault, Fault,
     Fault}};
