#pragma once
// The steps of VerifyModel. Each relies on those before it.

#include "runtime/model/schema_text.h"
#include "runtime/model/verify.h"

namespace micrort {

// Far above any real model, so that a small file cannot ask for much work.
constexpr uint32_t kMaxSubgraphs = 1024;
constexpr uint32_t kMaxTensors = 1u << 15;  // a subgraph
constexpr uint32_t kMaxOperators = 1u << 14;
constexpr uint32_t kMaxOpInputs = 1024;
constexpr uint32_t kMaxOpOutputs = 1024;

struct VerifyContext {
  Span<const uint8_t> file;
  const schema::Model* model = nullptr;
  // List elements that may still be looked at. A file may name one list many times; without this, its cost
  // would be quadratic in its size.
  uint64_t budget = 0;
  OuterBuffers outer = OuterBuffers::kInFile;

  Status Spend(uint64_t elements);
};

// Alignment, length and identifier.
Status VerifyHeader(Span<const uint8_t> file);
Status VerifyVersion(const schema::Model& model);
// The header, then every offset, length and alignment of the flatbuffer.
Status VerifyStructure(Span<const uint8_t> file);
// Where the bytes of buffers lie. Later steps read them by BytesOfBuffer.
Status VerifyBuffers(VerifyContext& context);
Status VerifyTensor(VerifyContext& context, const schema::Tensor& tensor);
// dtype and shape are valid already.
Status VerifyQuantization(VerifyContext& context, const schema::Tensor& tensor);
// Tensors have different names.
Status VerifyNames(VerifyContext& context, const schema::Subgraph& subgraph);
// Code, options, indices of tensors (-1 for absent inputs), and that int4 is read as weights or as a table
// only.
Status VerifyOperator(VerifyContext& context, const schema::Subgraph& subgraph, const schema::Operator& op);
// Packed weights have a layout's name and a buffer with data. Whether that has the size which the layer needs
// is known when it is prepared.
Status VerifyPacked(VerifyContext& context, const schema::Operator& op);
// Every tensor is written once, and before it is read; constants never.
Status VerifyOrder(VerifyContext& context, const schema::Subgraph& subgraph);
// Each subgraph but the first belongs to one operator of a subgraph before it, and their inputs and outputs
// agree in number and type.
Status VerifyBodies(VerifyContext& context);
// Only the entry has states; both ends of each agree. The order is valid already.
Status VerifyStates(VerifyContext& context, const schema::Subgraph& subgraph);
// A cache is written by one Append, which nothing else reads it beside, and knows the one length of all. The
// states are valid already. A part (kernels/base/part.h) of programs that append to caches.
Status VerifyCaches(VerifyContext& context, const schema::Subgraph& subgraph);
// Only the entry has rules about sizes. The inputs' shapes are valid already. Builds without
// planning read none.
Status VerifySizeRules(VerifyContext& context, const schema::Subgraph& subgraph);
// Offsets are aligned and inside the arena.
Status VerifyPlan(VerifyContext& context, const schema::Subgraph& subgraph);
// Lists are as long as the subgraph's. What they say is checked where it is applied.
Status VerifyPrograms(VerifyContext& context, const schema::Subgraph& subgraph);

}  // namespace micrort
