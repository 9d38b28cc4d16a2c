#pragma once
// PyTorch's operators and other compositions (converter/compose/) for all formats: what is composed of others
// is written once. The folder of TorchScript has the function.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "converter/frontend/common/graph_assembler.h"

namespace micrort::frontend {

struct ComposedOperand {
  ir::ValueId tensor = ir::kNoValue;  // kNoValue: None
  bool is_complex = false;  // floats, whose last dimension has real and imaginary parts; so are results
};
using ComposedOption = std::variant<bool, int64_t, double, std::string, std::vector<int64_t>>;

// Appends to the assembler's graph what `op` ("linalg_qr") becomes: of tensors of that graph, then of plain
// data. The nodes are told to come from `origin`. Results of the operator, or one an element of its tuple.
// kUnsupported with the reason where it cannot be imported.
Result<std::vector<ir::ValueId>> CallComposed(GraphAssembler& assembler, const ir::Origin& origin,
                                              const std::string& op,
                                              const std::vector<ComposedOperand>& tensors,
                                              const std::vector<ComposedOption>& others);

}  // namespace micrort::frontend
