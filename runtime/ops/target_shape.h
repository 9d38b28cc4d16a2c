#pragma once
// The shape that Reshape and Expand are asked for: a list in the options, or the values of input 1.

#include "runtime/ops/op.h"
#include "schema/micrort_generated.h"

namespace micrort {

struct TargetShape {
  bool in_options;
  int rank;
  int64_t dims[kMaxRank];  // coded as ReshapeOptions.shape
};

// The dimension of input 0 that dimension i of the options' list copies, or -1.
int CopiedDimension(const TargetShape& target, int i);

Status ParseTargetShape(const flatbuffers::Vector<int32_t>* list, TargetShape* target);

constexpr int kTargetInput = 1;

// False where the target is input 1, and that cannot be read yet.
bool IsReadable(const PrepareContext& context, const TargetShape& target);
// The rank of a target that cannot be read yet; kUnsupported if it is over kMaxRank.
Status ReadTargetRank(const PrepareContext& context, int* rank);

// Sets dims >= 0, and -1 where `may_infer` and the size follows from the rest. Without options and without
// input 1 the target is a scalar. `zero_copies`: a 0 in input 1 stands for the dimension of input 0 at its
// place.
Status ResolveTargetShape(const PrepareContext& context, const TargetShape& target, bool zero_copies,
                          bool may_infer, Shape* shape);

}  // namespace micrort
