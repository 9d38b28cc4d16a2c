#pragma once
// Tensors whose elements lie in files beside the model.

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "converter/frontend/onnx/mapped_tensors.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

// The model's elements may be eight times what a model file can hold, for they may be quantized to four bits.
constexpr uint64_t kMaxExternalBytes = uint64_t{16} << 30;

// Reads the elements of all tensors of the model (initializers, attributes, those of inner graphs and of
// functions) that lie outside it into their raw_data, but adds large ones to `mapped`. Files are found in
// `folder`, the model's own, or in folders inside it; a path or symbolic link that leads out of it is
// refused. Tensors whose element type we do not have stay as they are.
//
// Errors, with the tensor and the file: kInvalidModel if the entry makes no sense or the file is shorter than
// it says, kIo if the file cannot be read, kUnsupported above kMaxExternalBytes.
// `files` gets the path of each file that was opened.
Status LoadExternalData(const std::string& folder, ::onnx::ModelProto* model, MappedTensors* mapped,
                        std::vector<std::string>* files);

}  // namespace micrort::frontend::onnx
