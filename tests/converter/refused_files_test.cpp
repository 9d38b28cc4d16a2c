// Files, folders and libraries that the converter does not read or write, and sizes that do not fit a model.

#include <dlfcn.h>

#include "converter/convert.h"
#include "converter/custom/custom_ops.h"
#include "converter/frontend/frontend.h"
#include "converter/pipeline/pass_dump.h"
#include "converter/source_file.h"
#include "kernels/base/target.h"
#include "tests/converter/converted.h"
#include "tests/refusal.h"
#include "tests/tools/temporary_folder.h"
#include "tools/io/file.h"

namespace micrort::testing::refused_files {
namespace {

constexpr auto kWrong = StatusCode::kInvalidArgument, kUnsupported = StatusCode::kUnsupported;

Status Imports(const std::string& bytes, frontend::SourceFormat format = frontend::SourceFormat::kUnknown) {
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
  return frontend::ImportModel("model", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                               format, {}, &module, &diagnostics);
}

Status FindsIn(const TemporaryFolder& folder) {
  std::string file;
  return FindSourceFile(folder.path(), &file);
}

Status DumpsBeside(const TemporaryFolder& folder) {
  MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(folder.File("other.txt"), "text"));
  return passes::PassDump().Open(folder.path());
}

// The system's own, found by a function of it.
Status LoadsTheSystemsLibrary() {
  Dl_info library;
  if (dladdr(dlsym(RTLD_DEFAULT, "hcreate"), &library) == 0) return MICRORT_ERROR(kIo, "no library");
  return ConversionOps().Load(library.dli_fname);
}

// x of any number of rows, as two rows.
Status TwoRows(const ConvertOptions& options) {
  OnnxBuilder builder;
  builder.Input("x", {"N"}).Integers("rows", {2}, {2, -1}).Node("Reshape", {"x", "rows"}, {"y"});
  return Converted(builder, {"y"}, options).status();
}

const Refusal kFiles[] = {
    {"NoBytes", [] { return Imports(""); }, "the file is empty"},
    {"AModelOfOurOwn", [] { return Imports(std::string("\0\0\0\0MCRT", 8)); },
     "the file is a MicroRT model already"},
    {"KerasFiles", [] { return Imports("\x89HDF\r\n\x1a\n"); }, "Keras HDF5 models cannot be read",
     kUnsupported},
    {"KerasArchives",
     [] { return Imports(std::string("PK\x03\x04", 4) + std::string(40, ' ') + "model.weights.h5"); },
     "this is a model of Keras (.keras); in Python, model.export", kUnsupported},
    {"Arrays",
     [] {
       return Imports(std::string("PK\x03\x04", 4) + std::string(22, '\0') + std::string("\x05\0\0\0", 4) +
                      "x.npy");
     },
     "an archive of NumPy arrays", kUnsupported},
    {"Safetensors", [] { return Imports(std::string("\x02\0\0\0\0\0\0\0{}", 10)); },
     "this file holds weights alone (.safetensors); export the network", kUnsupported},
    {"Gguf", [] { return Imports("GGUF\x03"); }, "weights for llama.cpp (.gguf)", kUnsupported},
    {"TensorflowJs", [] { return Imports(" {\"format\": \"graph-model\", \"modelTopology\": {}}"); },
     "this is a model of TensorFlow.js (model.json)", kUnsupported},
    {"CoreMl", [] { return Imports(std::string("\x08\x05\x12\0\xa2\x1f\0", 7)); },
     "this is a model of Core ML (.mlmodel)", kUnsupported},
    {"AnUnknownFormat", [] { return Imports("x", static_cast<frontend::SourceFormat>(99)); },
     "the format cannot be read", kWrong},
    {"AFolderWithoutAModel", [] { return FindsIn(TemporaryFolder()); },
     "found a folder without saved_model.pb", StatusCode::kIo},
    {"ADumpBesideOtherFiles", [] { return DumpsBeside(TemporaryFolder()); },
     "expected an empty or a new folder", StatusCode::kIo},
    {"ALibraryWithoutOperators", LoadsTheSystemsLibrary, "expected a function micrort_custom_ops, found none",
     kWrong},
    {"SizesThatDoNotFit",
     [] {
       ConvertOptions options;
       options.input_shapes = {{"x", {3}}};
       return TwoRows(options);
     },
     "--input-shape does not fit the model", kWrong},
    {"SizesOfOneThatDoNotFit",
     [] {
       ConvertOptions options;
       options.target.name = "cortex-m3";
       EXPECT_TRUE(ParseTarget("cortex-m3", &options.target.features));
       return TwoRows(options);
     },
     "--target cortex-m3 fixes dynamic dimensions at 1, which does not fit the model", kWrong},
};

MICRORT_EXPECT_REFUSALS(RefusedFiles, kFiles);

}  // namespace
}  // namespace micrort::testing::refused_files
