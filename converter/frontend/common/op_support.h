#pragma once
// What docs/operators.md says of an operator of a source format. It stands in the format's registry beside
// the importer, and a test compares the page with it.

#include "kernels/base/dtype.h"

namespace micrort::frontend {

// A set of element types: bit 1 << DType.
using TypeSet = uint32_t;

constexpr TypeSet TypesOf() { return 0; }
template <typename... Rest>
constexpr TypeSet TypesOf(DType first, Rest... rest) {
  return TypeSet{1} << static_cast<int>(first) | TypesOf(rest...);
}

constexpr TypeSet kFloat32 = TypesOf(DType::kFloat32);
constexpr TypeSet kBool = TypesOf(DType::kBool);
constexpr TypeSet kFloats = TypesOf(DType::kFloat32, DType::kFloat16, DType::kBFloat16, DType::kFloat64);
constexpr TypeSet kSignedIntegers = TypesOf(DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64);
constexpr TypeSet kUnsignedIntegers = TypesOf(DType::kUInt8, DType::kUInt16, DType::kUInt32, DType::kUInt64);
constexpr TypeSet kIntegers = kSignedIntegers | kUnsignedIntegers;
constexpr TypeSet kNumbers = kFloats | kIntegers;
constexpr TypeSet kAllTypes = kNumbers | kBool;
constexpr TypeSet kBytes = TypesOf(DType::kInt8, DType::kUInt8);

// Written as `Types(kFloats).Since(20).Without("sizes that are not constant")`, any part of it absent. A
// text alone says what is not supported.
struct OpSupport {
  TypeSet types = 0;  // of the main input; 0: what a node takes whose inputs have one type
  int since = 1;  // of ONNX: the opset that introduced it, if its library of 2022 (opset 17) does not know
  int until = 0;  // of ONNX: the last opset that has it; 0 if it was not withdrawn since then
  const char* without = "";  // what is not supported: it is refused with its reason

  constexpr OpSupport() = default;
  constexpr OpSupport(const char* what) : without(what) {}  // NOLINT(google-explicit-constructor)
  constexpr OpSupport(TypeSet of, int first, int last, const char* what)
      : types(of), since(first), until(last), without(what) {}

  constexpr OpSupport Since(int opset) const { return {types, opset, until, without}; }
  constexpr OpSupport Until(int opset) const { return {types, since, opset, without}; }
  constexpr OpSupport Without(const char* what) const { return {types, since, until, what}; }
};

constexpr OpSupport Types(TypeSet types) { return {types, 1, 0, ""}; }
constexpr OpSupport Since(int opset) { return OpSupport().Since(opset); }

}  // namespace micrort::frontend
