#pragma once
// Instructions that do nothing on any CPU, and by which the plugin (count_instructions.c) tells where to
// count.

namespace micrort::bench {

inline void Mark() {
#if defined(__aarch64__)
  __asm__ volatile(".inst 0xd5032fff" ::: "memory");
#elif defined(__thumb2__)
  __asm__ volatile(".inst.w 0xf3af807f" ::: "memory");
#endif
}

}  // namespace micrort::bench
