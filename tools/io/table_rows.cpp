#include "tools/io/table_rows.h"

#include <algorithm>

namespace micrort::io {
namespace {

// Models take others than 0 and 1 times the smallest float, for scores that are none.
constexpr int64_t kValuesOfMasks = 2;

bool KeepsIntegers(schema::OpCode code) {
  switch (code) {
    case schema::OpCode::Cast:
    case schema::OpCode::Reshape:
    case schema::OpCode::Transpose:
    case schema::OpCode::Slice:
    case schema::OpCode::Expand:
      return true;
    default:
      return false;
  }
}

// -1 where it is absent.
int IndexAt(const flatbuffers::Vector<int32_t>* list, unsigned i) {
  return list != nullptr && i < list->size() ? list->Get(i) : -1;
}

int64_t TableSize(const schema::Subgraph& subgraph, const schema::Operator& op) {
  const int table = IndexAt(op.inputs(), 0);
  const schema::GatherOptions* options = op.options_as_GatherOptions();
  const unsigned tensors = subgraph.tensors() == nullptr ? 0 : subgraph.tensors()->size();
  if (options == nullptr || table < 0 || static_cast<unsigned>(table) >= tensors) return -1;
  const auto* shape = subgraph.tensors()->Get(static_cast<unsigned>(table))->shape();
  const int rank = shape == nullptr ? 0 : static_cast<int>(shape->size());
  const int axis = options->axis() < 0 ? options->axis() + rank : options->axis();
  return axis < 0 || axis >= rank ? -1 : shape->Get(static_cast<unsigned>(axis));
}

}  // namespace

TableRows::TableRows(const std::vector<int>& inputs) {
  for (const int input : inputs) input_of_[input] = input;
}

void TableRows::Follow(schema::OpCode code, int from, int to) {
  const auto found = input_of_.find(from);
  if (found != input_of_.end() && KeepsIntegers(code)) input_of_[to] = found->second;
}

void TableRows::Index(int indices, int64_t size) {
  const auto found = input_of_.find(indices);
  if (found == input_of_.end()) return;
  int64_t& least = rows_[found->second];
  if (size > 0) least = least == 0 ? size : std::min(least, size);
}

int64_t TableRows::Of(int input, const std::string& name, DType dtype) const {
  const auto found = rows_.find(input);
  if (found != rows_.end()) return found->second;
  const bool is_integer = dtype == DType::kInt32 || dtype == DType::kInt64;
  return is_integer && name.find("mask") != std::string::npos ? kValuesOfMasks : 0;
}

std::vector<int64_t> RowsOfTables(const Model& model) {
  const schema::Subgraph& entry = *schema::GetModel(model.file().data())->subgraphs()->Get(0);
  std::vector<int> inputs;
  for (unsigned i = 0; i < model.input_count(); ++i) inputs.push_back(IndexAt(entry.inputs(), i));
  TableRows tables(inputs);
  for (unsigned i = 0; entry.operators() != nullptr && i < entry.operators()->size(); ++i) {
    const schema::Operator& op = *entry.operators()->Get(i);
    if (op.code() == schema::OpCode::Gather) {
      tables.Index(IndexAt(op.inputs(), 1), TableSize(entry, op));
    } else {
      tables.Follow(op.code(), IndexAt(op.inputs(), 0), IndexAt(op.outputs(), 0));
    }
  }
  std::vector<int64_t> rows;
  for (size_t i = 0; i < inputs.size(); ++i)
    rows.push_back(tables.Of(inputs[i], model.input(i).name, model.input(i).dtype));
  return rows;
}

}  // namespace micrort::io
