#pragma once
// What a SavedModel offers, and the choice among it.

#include <string>

#include "converter/frontend/tensorflow/model_reader.h"

namespace micrort::frontend::tensorflow {

// The meta graph with exactly these tags ("serve" or "serve,gpu"); without any, the one for serving, or the
// only one. kInvalidArgument, with what there is, if there is no such one.
Result<::tensorflow::MetaGraphDef*> ChooseMetaGraph(const std::string& tag_set,
                                                    ::tensorflow::SavedModel* model);

// Inputs and outputs of the signature of this name; without a name, of "serving_default", or the only one.
Status ReadSignature(const std::string& name, const ::tensorflow::MetaGraphDef& meta_graph,
                     TensorflowModel* out);

// All signatures that can be converted, sorted by name.
Status AddSignatures(const ::tensorflow::MetaGraphDef& meta_graph, std::vector<SignaturePorts>* out);

}  // namespace micrort::frontend::tensorflow
