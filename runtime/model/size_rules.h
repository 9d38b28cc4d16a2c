#pragma once
// Rules about the sizes of inputs (schema: SizeRule), and the small stack machine that computes their sides.

#include <cstdint>

#include "kernels/base/shape.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort {

using SizeSteps = flatbuffers::Vector<int64_t>;
using SizeRuleList = flatbuffers::Vector<flatbuffers::Offset<schema::SizeRule>>;

// The rules of an entry, which have been checked; null where there are none.
const SizeRuleList* SizeRulesOf(const schema::Subgraph& graph);

constexpr uint32_t kMaxSizeRules = 256;
constexpr uint32_t kMaxSizeSteps = 512;  // elements of a list
constexpr int kMaxSizeDepth = 32;        // numbers on the stack

// The dimension that the steps push and do nothing with.
struct SizedDim {
  uint32_t input;
  int dim;
};
bool IsDim(const SizeSteps& steps, SizedDim* dim);
// The next dimension that the steps push, from step *from on, which becomes the one after it.
bool NextDim(const SizeSteps& steps, uint32_t* from, SizedDim* dim);
bool Reads(const SizeSteps& steps, const SizedDim& dim);

// Steps are known and leave one number; the dimensions they read exist.
Status CheckSizeSteps(const SizeSteps* steps, Span<const Shape> inputs);
// False where a division by 0 or an overflow is in the way. The steps have been checked.
bool ComputeSize(const SizeSteps& steps, Span<const Shape> inputs, int64_t* size);

}  // namespace micrort
