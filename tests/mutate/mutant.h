#pragma once
// Included into every file of a mutated build: whether the refusal with this number is turned off, which is
// what MICRORT_MUTANT names.

#include <cstdlib>

namespace micrort::mutate {

inline bool IsOff(int id) {
  static const int off = [] {
    const char* named = std::getenv("MICRORT_MUTANT");
    return named == nullptr ? -1 : std::atoi(named);
  }();
  return id == off;
}

}  // namespace micrort::mutate
