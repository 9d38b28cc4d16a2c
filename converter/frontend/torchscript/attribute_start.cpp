#include "converter/frontend/torchscript/attribute_start.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "converter/frontend/torchscript/bodies.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsPlain(const Value& value) {
  if (value.items != nullptr) return std::all_of(value.items->begin(), value.items->end(), IsPlain);
  return value.is_none() || value.is_scalar() || value.is_tensor() || value.Is(Kind::kString);
}

bool AreEqualNumbers(const Value& a, const Value& b) {
  return a.kind == b.kind &&
         (a.AsDouble() == b.AsDouble() || (std::isnan(a.AsDouble()) && std::isnan(b.AsDouble())));
}

template <typename T>
void SetInitial(T number, StartLeaf* leaf) {
  ir::Bytes bytes(sizeof(T));
  std::memcpy(bytes.data(), &number, sizeof(T));
  leaf->dtype = kDTypeOf<T>;
  leaf->initial = std::make_shared<const ir::Bytes>(std::move(bytes));
}

}  // namespace

Status DescribeStart(const Value& value, TensorTable* table, AttributeStart* out,
                     std::vector<ir::ValueId>* ids) {
  if (!IsPlain(value)) return Unsupported("becomes {}", KindName(value.kind));
  std::vector<Value> leaves;
  Leaves(value, &leaves);
  for (Value& leaf : leaves) {
    StartLeaf start;
    if (leaf.tensor != nullptr) {
      MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, table->Read(*leaf.tensor));
      const ir::Value& tensor = table->value(id);
      if (!tensor.is_static()) return Unsupported("becomes a tensor of no fixed size");
      start.dtype = tensor.dtype;
      start.shape = tensor.shape;
      start.is_complex = leaf.tensor->is_complex;
      ids->push_back(id);
      leaf = Value::Of(leaf.kind);
    }
    start.is_known = !leaf.is_tensor() && start.dtype == DType::kUnknown;
    start.number = leaf;
    out->leaves.push_back(std::move(start));
  }
  size_t next = 0;
  out->form = WithLeaves(value, leaves, &next);
  return Status();
}

std::string StateName(const std::string& attribute, const AttributeStart& start, size_t leaf) {
  return start.leaves.size() == 1 ? attribute : attribute + "." + std::to_string(leaf);
}

bool AreAlike(const AttributeStart& a, const AttributeStart& b) {
  if (!HaveSameForm(a.form, b.form)) return false;
  const auto are_alike = [](const StartLeaf& x, const StartLeaf& y) {
    if (x.is_known || y.is_known) return x.is_known == y.is_known && AreEqualNumbers(x.number, y.number);
    return x.dtype == y.dtype && x.shape == y.shape && x.is_complex == y.is_complex;
  };
  return std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin(), b.leaves.end(), are_alike);
}

AttributeStart ComputedAlways(const Value& number) {
  AttributeStart start;
  start.form = number;
  StartLeaf leaf;
  leaf.number = number;
  leaf.is_computed_always = true;
  if (number.Is(Kind::kInt)) SetInitial<int64_t>(number.integer, &leaf);
  if (number.Is(Kind::kFloat)) SetInitial<float>(static_cast<float>(number.number), &leaf);
  if (number.Is(Kind::kBool)) {
    leaf.dtype = DType::kBool;
    leaf.initial = std::make_shared<const ir::Bytes>(ir::Bytes{static_cast<uint8_t>(number.integer != 0)});
  }
  start.leaves.push_back(std::move(leaf));
  return start;
}

bool AreSame(const Value& a, const Value& b) {
  if (a.Is(Kind::kObject) && b.Is(Kind::kObject)) return a == b;
  if (!HaveSameForm(a, b)) return false;
  std::vector<Value> first, second;
  Leaves(a, &first);
  Leaves(b, &second);
  const auto are_same = [](const Value& x, const Value& y) {
    return x.tensor == y.tensor && (x.tensor != nullptr || AreEqualNumbers(x, y));
  };
  return std::equal(first.begin(), first.end(), second.begin(), second.end(), are_same);
}

}  // namespace micrort::frontend::torchscript
