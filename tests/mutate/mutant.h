#pragma once
// Included into every file of a mutated build. Every mutant is in it, and the environment variable
// MICRORT_MUTANT names the one that is on. `reached` notes which could make a difference while a test ran
// (listener.cpp writes it down).

#include <atomic>
#include <cstdlib>

namespace micrort::mutate {

inline constexpr int kMost = 1 << 14;
inline std::atomic<bool> reached[kMost];

inline bool IsOn(int id) {
  static const int on = [] {
    const char* named = std::getenv("MICRORT_MUTANT");
    return named == nullptr ? -1 : std::atoi(named);
  }();
  return id == on;
}

// Whether the mutant is on, where `matters`.
inline bool Reach(int id, bool matters) {
  if (!matters) return false;
  reached[id].store(true, std::memory_order_relaxed);
  return IsOn(id);
}

// The condition under which something is refused.
inline bool Refuses(int id, bool condition) { return condition && !Reach(id, condition); }
// The condition under which it is accepted.
inline bool Accepts(int id, bool condition) { return condition || Reach(id, !condition); }

// A number, or the next one. Where the compiler needs it, it is what it was.
template <typename T>
constexpr T Next(int id, T number) {
  if (__builtin_is_constant_evaluated()) return number;
  return Reach(id, true) ? static_cast<T>(number + 1) : number;
}
// The result of a comparison, or that of the comparison next to it, where they differ.
constexpr bool Either(int id, bool usual, bool other) {
  if (__builtin_is_constant_evaluated()) return usual;
  return Reach(id, usual != other) ? other : usual;
}

}  // namespace micrort::mutate
