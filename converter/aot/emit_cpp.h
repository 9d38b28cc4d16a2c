#pragma once
// A model as a C++ class that computes it: ahead-of-time code after TensorFlow's tfcompile, that calls the
// kernels (libmicrort_kernels.a) with constant parameters. No interpreter, no model file, no heap.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "converter/aot/aot_program.h"
#include "converter/aot/cpp_options.h"

namespace micrort::aot {

struct CppRequest {
  CppOptions options;
  AotTarget target;
  std::optional<uint64_t> max_arena;  // bytes
  std::string source;                 // name of the model, for comments
  // The model's own names of results that have another name in the file. The keys are the names in the file.
  std::map<std::string, std::string> result_names;
};

// `file`: a whole model file with portable weights. Everything or nothing: kUnsupported, naming the node, for
// a model that C++ cannot be emitted for. Open dimensions but the batch are 1; `notes` tells so. `bytes`:
// kBytes of the class.
Status EmitCpp(const AlignedBytes& file, const CppRequest& request, EmittedFiles* files, uint64_t* bytes,
               std::vector<std::string>* notes);

}  // namespace micrort::aot
