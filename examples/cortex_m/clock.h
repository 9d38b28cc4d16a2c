#pragma once
// The core's timer, counting its clock.

#include <cstdint>

class Clock {
 public:
  Clock() {
    Register(kReload) = kTicks;
    Register(kCurrent) = 0;  // any value clears it
    Register(kControl) = kEnabled | kClockOfTheCore;
  }
  // Since this was made, up to 2^24 - 1; false if it was longer.
  bool Ticks(uint32_t* ticks) const {
    *ticks = kTicks - Register(kCurrent);
    return (Register(kControl) & kWrapped) == 0;
  }

 private:
  static constexpr uint32_t kTicks = 0xffffff;
  static constexpr uint32_t kEnabled = 1, kClockOfTheCore = 4, kWrapped = 1u << 16;
  static constexpr uintptr_t kControl = 0xe000e010, kReload = 0xe000e014, kCurrent = 0xe000e018;
  static volatile uint32_t& Register(uintptr_t address) {
    return *reinterpret_cast<volatile uint32_t*>(address);
  }
};
