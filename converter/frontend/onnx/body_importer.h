#pragma once
// A graph inside a node, imported as a body: what it reads of the graphs around it, and what iterations
// change.

#include <vector>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/onnx/graph_importer.h"

namespace micrort::frontend::onnx {

// An input of a body.
struct BodyInput {
  const ::onnx::ValueInfoProto* info = nullptr;  // what the body calls it; null: it does not know of it
  ir::ValueId outer = ir::kNoValue;              // what it is at first; kNoValue: one element of `dtype`
  DType dtype = DType::kUnknown;
  int result = -1;             // the body's output that it becomes for the next iteration; -1: it stays
  uint32_t changing_dims = 0;  // dimensions that iterations change
};

// A value that a body takes a slice of, at the number of its iteration, which is the body's first input.
struct BodySlice {
  const ::onnx::ValueInfoProto* info = nullptr;
  ir::ValueId outer = ir::kNoValue;
  int axis = 0;
  ir::ValueId last = ir::kNoValue;  // the last index, a scalar, for slices from the end to the start
};

class BodyImporter {
 public:
  // `proto` must outlive the import. Its inputs are followed by what it reads of the graphs around it.
  BodyImporter(GraphImporter& around, const ::onnx::GraphProto& proto, std::vector<BodyInput> inputs = {},
               std::vector<BodySlice> slices = {})
      : around_(around), proto_(proto), inputs_(std::move(inputs)), slices_(std::move(slices)) {}

  Status Import(ImportedBody* out);

 private:
  Status ImportOnce(ImportedBody* out, bool* widened);
  Status ImportInside(GraphImporter& inner);
  Status AddInput(const BodyInput& input, GraphImporter& inner);
  Status AddSlice(const BodySlice& slice, ir::ValueId iteration, GraphImporter& inner);
  Status WidenInputs(GraphAssembler& inner, bool* widened);

  GraphImporter& around_;
  const ::onnx::GraphProto& proto_;
  std::vector<BodyInput> inputs_;
  const std::vector<BodySlice> slices_;
};

}  // namespace micrort::frontend::onnx
