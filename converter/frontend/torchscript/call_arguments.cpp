#include "converter/frontend/torchscript/call_arguments.h"

#include <algorithm>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/torchscript/element_types.h"

namespace micrort::frontend::torchscript {

int64_t CallArguments::Int(size_t i, int64_t otherwise) {
  const Value& v = arg(i);
  if (v.is_none()) return otherwise;
  const bool fits = !v.Is(Kind::kFloat) || (v.number > -9.2e18 && v.number < 9.2e18);
  if (v.is_scalar() && !v.is_computed() && fits)
    return v.Is(Kind::kFloat) ? static_cast<int64_t>(v.number) : v.integer;
  if (v.tensor != nullptr) {
    std::vector<int64_t> elements;
    const ir::ValueId id = TensorAt(i);
    if (ir::IntegersOf(value(id), &elements) && elements.size() == 1) return elements[0];
  }
  Unexpected(i, "an integer");
  return otherwise;
}

double CallArguments::Float(size_t i, double otherwise) {
  const Value& v = arg(i);
  if (v.is_none()) return otherwise;
  if (v.is_scalar() && !v.is_computed()) return v.AsDouble();
  if (v.tensor != nullptr) {
    std::vector<float> elements;
    const ir::ValueId id = TensorAt(i);
    if (ir::FloatsOf(value(id), &elements) && elements.size() == 1) return elements[0];
  }
  Unexpected(i, "a number");
  return otherwise;
}

bool CallArguments::Bool(size_t i, bool otherwise) {
  const Value& v = arg(i);
  if (v.is_none()) return otherwise;
  if (v.is_scalar() && !v.is_computed()) return v.AsDouble() != 0;
  Unexpected(i, "a bool");
  return otherwise;
}

std::string CallArguments::String(size_t i, const char* otherwise) {
  if (!Has(i)) return otherwise;
  if (!arg(i).Is(Kind::kString)) Unexpected(i, "a string");
  return arg(i).text;
}

std::vector<int64_t> CallArguments::Ints(size_t i, std::vector<int64_t> otherwise) {
  if (!Has(i)) return otherwise;
  if (!arg(i).is_sequence()) return {Int(i, 0)};
  std::vector<int64_t> ints;
  for (const Value& item : *arg(i).items) {
    if (!item.is_known_int()) {
      Unexpected(i, "a list of known integers");
      return otherwise;
    }
    ints.push_back(item.integer);
  }
  return ints;
}

std::vector<int64_t> CallArguments::IntsFor(size_t i, size_t count, int64_t otherwise) {
  std::vector<int64_t> ints = Ints(i);
  if (ints.empty()) ints = {otherwise};
  if (ints.size() == 1) ints = std::vector<int64_t>(count, ints[0]);
  if (ints.size() != count) {
    Fail(Invalid("argument {}: expected {} numbers, found {}", i, count, ints.size()));
    ints.assign(count, otherwise);
  }
  return ints;
}

std::vector<double> CallArguments::Floats(size_t i) {
  std::vector<double> numbers;
  if (!Has(i)) return numbers;
  if (!arg(i).is_sequence()) return {Float(i, 0)};
  for (const Value& item : *arg(i).items) {
    if (!item.is_scalar() || item.is_computed()) Unexpected(i, "a list of known numbers");
    numbers.push_back(item.AsDouble());
  }
  return numbers;
}

DType CallArguments::Type(size_t i, DType otherwise) {
  if (!Has(i)) return otherwise;
  const int64_t number = Int(i, 0);
  const DType type = DTypeOfNumber(number);
  if (type == DType::kUnknown) {
    Fail(Unsupported("element type {} of PyTorch", number));
    return otherwise;
  }
  return type;
}

int CallArguments::AxisOf(int64_t axis, int rank) {
  const int64_t dims = std::max(rank, 1);  // a scalar has the axes of a vector
  if (axis < -dims || axis >= dims) {
    Fail(Invalid("dimension {} of a tensor with {}", axis, rank));
    return 0;
  }
  return static_cast<int>(axis < 0 ? axis + dims : axis);
}

int CallArguments::Axis(size_t i, int rank, int64_t otherwise) { return AxisOf(Int(i, otherwise), rank); }

std::vector<int32_t> CallArguments::Axes(size_t i, int rank) {
  std::vector<int32_t> axes;
  for (const int64_t axis : Ints(i)) axes.push_back(AxisOf(axis, rank));
  Fail(CheckDistinct(axes));
  std::sort(axes.begin(), axes.end());
  return axes;
}

bool CallArguments::IsKnown(const Value& list) {
  if (!list.is_sequence()) return list.is_known_int();
  return std::all_of(list.items->begin(), list.items->end(), [](const Value& v) { return v.is_known_int(); });
}

}  // namespace micrort::frontend::torchscript
