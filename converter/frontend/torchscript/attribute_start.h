#pragma once
// The value of an attribute when a run begins, apart from any graph: numbers that the code knows, and the
// types of tensors and numbers that the run before computes.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/torchscript/tensor_table.h"

namespace micrort::frontend::torchscript {

struct StartLeaf {
  Value number;           // a known one; else only its kind counts
  bool is_known = false;  // the code knows the number
  // The code does not know it in any run, the first one included.
  bool is_computed_always = false;
  bool is_fixed = false;          // it is `initial` in all runs
  DType dtype = DType::kUnknown;  // of what is not known
  std::vector<int64_t> shape;
  bool is_complex = false;
  std::shared_ptr<const ir::Bytes> initial;  // null: zeros
  std::shared_ptr<const ir::Bytes> in_file;  // what the file has in its place; null: nothing of that size
};

struct AttributeStart {
  Value form;  // without tensors
  std::vector<StartLeaf> leaves;

  bool is_number() const { return form.is_scalar(); }
};
// The name of the input that stands for a leaf of an attribute.
std::string StateName(const std::string& attribute, const AttributeStart& start, size_t leaf);
using Starts = std::map<std::string, AttributeStart>;  // by the attribute's name

// `ids` are the values of what is not known, in order. kUnsupported for what is no plain data and for tensors
// of open sizes; the message ends a sentence that begins with the attribute.
Status DescribeStart(const Value& value, TensorTable* table, AttributeStart* out,
                     std::vector<ir::ValueId>* ids);
// Whether the code cannot tell one from the other before it computes with elements of tensors.
bool AreAlike(const AttributeStart& a, const AttributeStart& b);
// A known number of the file as one that the code never knows.
AttributeStart ComputedAlways(const Value& number);

// The objects, numbers and tensors of both are the same ones.
bool AreSame(const Value& a, const Value& b);

}  // namespace micrort::frontend::torchscript
