#pragma once
// Classifiers and regressors of ai.onnx.ml share this: rows of features, labels of classes, and how scores
// become outputs. Where the definition is silent, results are those of ONNX Runtime.

#include "converter/frontend/common/op_support.h"
#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

constexpr TypeSet kMlTypes = kFloat32 | TypesOf(DType::kFloat64, DType::kInt32, DType::kInt64);

// Input 0 as [rows, features]; one row may have come without the first dimension.
Result<ir::ValueId> ReadRows(NodeContext& c);
// The same as float32.
Result<ir::ValueId> ReadFeatures(NodeContext& c);

// Attribute post_transform.
enum class PostTransform { kNone, kLogistic, kSoftmax, kSoftmaxZero };
Result<PostTransform> ReadPostTransform(NodeContext& c);
// Scores of [rows, classes].
ir::ValueId Transform(NodeContext& c, ir::ValueId scores, PostTransform how);

// The labels of classes in order, int64, of the attribute that is there. Labels that are names become their
// places, which a warning lists.
Result<std::vector<int64_t>> ReadLabels(NodeContext& c, const char* numbers, const char* names);

// Outputs 0 and 1 of a classifier: the label of the largest score of each row, and scores, [rows, classes].
Status ReturnClasses(NodeContext& c, ir::ValueId scores, const std::vector<int64_t>& labels,
                     PostTransform how);
// The score of the second of two classes.
struct SecondScore {
  ir::ValueId score;  // [rows, 1]
  double threshold;   // above it, the class is the second one
  bool is_share;      // the first class has what is left of 1, else the negative score
};
Status ReturnTwoClasses(NodeContext& c, const SecondScore& second, const std::vector<int64_t>& labels,
                        PostTransform how);

}  // namespace micrort::frontend::onnx
