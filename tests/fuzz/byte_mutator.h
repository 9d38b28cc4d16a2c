#pragma once
// Changes of bytes that have no structure, and numbers at which code goes wrong.

#include <cstdint>
#include <random>
#include <string>

namespace micrort::fuzz {

// libFuzzer asks for a new one with each change: its state is a number.
using Random = std::minstd_rand;

inline size_t Below(size_t n, Random& random) { return random() % n; }

// A limit of a type, a power of two, or a small number.
int64_t BoundaryInteger(Random& random);
double BoundaryReal(Random& random);

// Flips, overwrites, inserts, erases or copies a few bytes.
std::string MutateBytes(const std::string& bytes, Random& random);

}  // namespace micrort::fuzz
