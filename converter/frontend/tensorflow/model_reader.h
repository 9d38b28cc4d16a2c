#pragma once
// A GraphDef, or the graph of one signature of a SavedModel.

#include <optional>
#include <string>
#include <vector>

#include "converter/frontend/frontend.h"
#include "converter/frontend/tensorflow/checkpoint.h"
#include "converter/frontend/tensorflow/tensorflow.pb.h"

namespace micrort::frontend::tensorflow {

// An input or output of the model, as its signature or the configuration names it.
struct Port {
  std::string name;    // what users call it
  std::string tensor;  // "node" or "node:1"
  std::optional<::tensorflow::TensorShapeProto> shape;
  ::tensorflow::DataType dtype = ::tensorflow::DT_INVALID;  // DT_INVALID: as in the graph
};

struct SignaturePorts {
  std::string name, tag_set;
  std::vector<Port> inputs, outputs;
};

struct TensorflowModel {
  ::tensorflow::GraphDef graph;
  std::vector<Port> inputs, outputs;  // empty: the graph's own
  Checkpoint checkpoint;              // of SavedModels with variables
};

// First looks at the content, which the import proves right or wrong.
bool LooksLikeGraph(Span<const uint8_t> bytes);       // binary
bool LooksLikeGraphText(Span<const uint8_t> bytes);   // "node {"
bool LooksLikeSavedModel(Span<const uint8_t> bytes);  // binary

// kInvalidModel if the bytes are none of these. Options: signature, tag_set, config and folder.
Status ReadModel(Span<const uint8_t> bytes, const ImportOptions& options, TensorflowModel* out);

// Signatures of all graphs of a SavedModel.
Status ListSignatures(Span<const uint8_t> bytes, std::vector<SignaturePorts>* out);

}  // namespace micrort::frontend::tensorflow
