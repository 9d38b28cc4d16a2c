#pragma once
// Recurrent layers of Keras: functions that say so, whose loops need not be looked at.

#include <optional>

#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "converter/frontend/tensorflow/tf_value.h"

namespace micrort::frontend::tensorflow {

// The attribute of such functions.
constexpr char kImplements[] = "api_implements";

// Appends the layer, and gives the function's results, if it is one. Nothing: it is none, or one with a mask,
// and its body has to be imported.
Result<std::optional<TfValues>> ImportKerasLayer(GraphAssembler& assembler, const std::string& name,
                                                 const ::tensorflow::FunctionDef& function,
                                                 const TfValues& inputs);

}  // namespace micrort::frontend::tensorflow
