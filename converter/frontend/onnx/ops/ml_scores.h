#pragma once
// What classifiers and regressors of ai.onnx.ml have in common: rows of features, labels of classes, and what
// becomes of scores. Where the definition is silent, results are those of ONNX Runtime.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// Input 0 as float32 [rows, features]; one row may have come without the first dimension.
Status ReadFeatures(NodeContext& c, ir::ValueId* out);

// Attribute post_transform.
enum class PostTransform { kNone, kLogistic, kSoftmax, kSoftmaxZero };
Status ReadPostTransform(NodeContext& c, PostTransform* out);
// Scores of [rows, classes].
ir::ValueId Transform(NodeContext& c, ir::ValueId scores, PostTransform how);

// The labels of classes in order, int64, of the attribute that is there. Labels that are names become their
// places, which a warning lists.
Status ReadLabels(NodeContext& c, const char* numbers, const char* names, std::vector<int64_t>* out);
// The label of the largest score of each row, [rows].
ir::ValueId TopLabels(NodeContext& c, ir::ValueId scores, const std::vector<int64_t>& labels);
// labels[1] for each row where the condition, [rows, 1], holds, and labels[0] elsewhere; [rows].
ir::ValueId EitherLabel(NodeContext& c, ir::ValueId condition, const std::vector<int64_t>& labels);

}  // namespace micrort::frontend::onnx
