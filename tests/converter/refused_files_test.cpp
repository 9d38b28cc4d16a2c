// Files, folders and libraries that the converter does not read or write, and sizes that do not fit a model.

#include <dlfcn.h>

#include <filesystem>

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

Status Imports(const std::string& bytes, frontend::SourceFormat format = frontend::SourceFormat::kUnknown,
               const char* path = "model") {
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
  return frontend::ImportModel(path, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, format,
                               {}, &module, &diagnostics);
}

Status ImportsNamed(const char* path, const std::string& bytes) {
  return Imports(bytes, frontend::SourceFormat::kUnknown, path);
}

Status FindsIn(const TemporaryFolder& folder) {
  std::string file;
  return FindSourceFile(folder.path(), &file);
}

Status FindsInFolderNamed(const std::string& name, const TemporaryFolder& folder) {
  std::string file;
  std::filesystem::create_directory(folder.File(name));
  return FindSourceFile(folder.File(name) + "/", &file);
}

Status FindsAround() {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.File("kws"));
  MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(folder.File("kws/saved_model.pb"), "x"));
  return FindsIn(folder);
}

Status DumpsBeside(const TemporaryFolder& folder) {
  MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(folder.File("other.txt"), "text"));
  return passes::PassDump().Open(folder.path());
}

// The system's own, found by a function of it.
Status LoadsTheSystemsLibrary() {
  Dl_info library;
  if (dladdr(dlsym(RTLD_DEFAULT, "hcreate"), &library) == 0) return MICRORT_ERROR(kIo, "no library");
  return ConversionOps().Load({library.dli_fname});
}

// x of any number of elements, as two rows, with these sizes for it.
Status TwoRows(const ConvertOptions& options, const std::vector<std::string>& declared = {"N"}) {
  OnnxBuilder builder;
  builder.Input("x", declared).Integers("rows", {2}, {2, -1}).Node("Reshape", {"x", "rows"}, {"y"});
  return Converted(builder, {"y"}, options).status();
}

const Refusal kFiles[] = {
    {"NoBytes", MICRORT_STATUS(Imports("")), "the file is empty"},
    {"AModelOfOurOwn", MICRORT_STATUS(Imports(std::string("\0\0\0\0MCRT", 8))),
     "the file is a MicroRT model already"},
    {"KerasFiles", MICRORT_STATUS(Imports("\x89HDF\r\n\x1a\n")),
     "an HDF5 file (.h5: a Keras model, or its weights); load it in Python", kUnsupported},
    {"KerasArchives",
     MICRORT_STATUS(Imports(std::string("PK\x03\x04", 4) + std::string(40, ' ') + "model.weights.h5")),
     "this is a Keras model (.keras); load it in Python and write a SavedModel: model.export", kUnsupported},
    {"ZippedSavedModels",
     MICRORT_STATUS(Imports(std::string("PK\x03\x04", 4) + std::string(40, ' ') + "m/saved_model.pb")),
     "this is a zip archive of a TensorFlow SavedModel; unzip it", kUnsupported},
    {"ZippedModels",
     MICRORT_STATUS(Imports(std::string("PK\x03\x04", 4) + std::string(40, ' ') + "a.tflite")),
     "unzip it, and convert the model inside", kUnsupported},
    {"Pickles", MICRORT_STATUS(Imports(std::string("\x80\x04\x95\x01", 4))),
     "this is a Python pickle (.pkl); build the model in Python and export it", kUnsupported},
    {"Arrays",
     MICRORT_STATUS(Imports(std::string("PK\x03\x04", 4) + std::string(22, '\0') +
                            std::string("\x05\0\0\0", 4) + "x.npy")),
     "an archive of NumPy arrays", kUnsupported},
    {"Safetensors", MICRORT_STATUS(Imports(std::string("\x02\0\0\0\0\0\0\0{}", 10))),
     "this file holds weights without the network (.safetensors); build the model", kUnsupported},
    {"Gguf", MICRORT_STATUS(Imports("GGUF\x03")), "weights for llama.cpp (.gguf)", kUnsupported},
    {"TensorflowJs", MICRORT_STATUS(Imports(" {\"format\": \"graph-model\", \"modelTopology\": {}}")),
     "this is a TensorFlow.js model (model.json)", kUnsupported},
    {"CoreMl", MICRORT_STATUS(Imports(std::string("\x08\x05\x12\0\xa2\x1f\0", 7))),
     "this is a Core ML model (.mlmodel)", kUnsupported},
    {"GitLfsPointers", MICRORT_STATUS(Imports("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")),
     "this is a Git LFS pointer, not the file itself: type git lfs pull"},
    {"PagesOfTheWeb", MICRORT_STATUS(Imports("\xef\xbb\xbf\r\n<!DOCTYPE HTML>\n<title>404</title>")),
     "this is a web page (HTML), not a model"},
    {"AnswersOfServers", MICRORT_STATUS(Imports("Entry not found\n")),
     "this is a text of 16 bytes that begins with 'Entry not found', not a model: if a server answered so, "
     "download the model again"},
    {"ExecuTorch", MICRORT_STATUS(Imports(std::string("\x20\0\0\0ET12", 8))),
     "an ExecuTorch program (.pte); build the model", kUnsupported},
    {"OnnxRuntimesFormat", MICRORT_STATUS(Imports(std::string("\x20\0\0\0ORTM", 8))),
     "convert the .onnx that it was made from", kUnsupported},
    {"Ncnn", MICRORT_STATUS(Imports("7767517\n75 83\n")), "an ncnn network (.param); convert", kUnsupported},
    {"OpenVino",
     MICRORT_STATUS(Imports("<?xml version=\"1.0\"?>\n<net name=\"n\">\n<layers>\n</layers></net>")),
     "an OpenVINO network (.xml)", kUnsupported},
    {"MxNet", MICRORT_STATUS(Imports("{\"nodes\": [], \"arg_nodes\": []}")), "an MXNet network",
     kUnsupported},
    {"PackedFiles", MICRORT_STATUS(Imports("\x1f\x8b\x08 ")), "unpack it, and convert the model inside",
     kUnsupported},
    {"Mnn", MICRORT_STATUS(ImportsNamed("net.mnn", std::string("\x28\0\0\0", 4) + std::string(60, '\0'))),
     "files that end in .mnn are MNN models, which cannot be read; convert the model that it was made from: "
     "mnnconvert model.onnx -o model.fb (",
     kUnsupported},
    {"Paddle", MICRORT_STATUS(ImportsNamed("a/m.pdmodel", "\x0a\x02\x08\x01")), "paddle2onnx --model_dir",
     kUnsupported},
    {"NamesOfBrokenFilesThatSayNothing", MICRORT_STATUS(ImportsNamed("m.onnx", "\x01\x02")),
     "the format is not known"},
    {"AnUnknownFormat", MICRORT_STATUS(Imports("x", static_cast<frontend::SourceFormat>(99))),
     "the format cannot be read", kWrong},
    {"AFolderWithoutAModel", MICRORT_STATUS(FindsIn(TemporaryFolder())),
     "found a folder without saved_model.pb", StatusCode::kIo},
    {"AFolderAroundASavedModel", FindsAround, "/kws: mnnconvert ", StatusCode::kIo},
    {"AFolderOfCoreMl", MICRORT_STATUS(FindsInFolderNamed("net.mlpackage", TemporaryFolder())),
     "files that end in .mlpackage are Core ML models, which cannot be read", kUnsupported},
    {"ADumpBesideOtherFiles", MICRORT_STATUS(DumpsBeside(TemporaryFolder())),
     "expected an empty or a new folder", StatusCode::kIo},
    {"ALibraryWithoutOperators", LoadsTheSystemsLibrary, "expected a function micrort_custom_ops, found none",
     kWrong},
    {"SizesThatDoNotFit",
     [] {
       ConvertOptions options;
       options.input_shapes = {{"x", {3}}};
       return TwoRows(options);
     },
     "--input-shape does not fit the model: ", kWrong},
    {"SizesThatAreNotThoseDeclared",
     [] {
       ConvertOptions options;
       options.input_shapes = {{"x", {3}}};
       return TwoRows(options, {"4"});
     },
     "--input-shape does not fit the model ('x' is declared as 4): ", kWrong},
    {"SizesOfAnotherRank",
     [] {
       ConvertOptions options;
       options.input_shapes = {{"x", {4, 1}}};
       return TwoRows(options);
     },
     "--input-shape: expected rank 1, as in ?, found rank 2, 4x1", kWrong},
    {"SizesBelowOne",
     [] {
       ConvertOptions options;
       options.input_shapes = {{"x", {0}}};
       return TwoRows(options);
     },
     "--input-shape: expected dimensions from 1, found 0", kWrong},
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

constexpr char kPointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";

// Asking for a format does not hide what the file really is.
TEST(RefusedFiles, OfAFormatThatIsAskedForSayWhatTheyAre) {
  const std::pair<std::string, const char*> kOthers[] = {
      {kPointer, "this is a Git LFS pointer"},
      {"<html><title>404</title></html>", "this is a web page (HTML)"},
      {std::string("\x02\0\0\0\0\0\0\0{}", 10), "this file holds weights without the network (.safetensors)"},
      {"GGUF\x03", "weights for llama.cpp (.gguf)"},
      {"\x89HDF\r\n\x1a\n", "an HDF5 file"},
      {"", "the file is empty"}};
  for (const auto& [name, format] : frontend::ReadableFormats()) {
    for (const auto& [bytes, what] : kOthers) {
      const Status status = Imports(bytes, format);
      EXPECT_NE(std::string(status.message()).find(what), std::string::npos)
          << "--from " << name << ": " << status.message();
    }
    if (format == frontend::SourceFormat::kOnnx) continue;
    const Status status = Imports(OneRelu().Bytes(), format);
    EXPECT_NE(std::string(status.message())
                  .find("--from " + name + ": the file looks like a model of the format onnx"),
              std::string::npos)
        << status.message();
  }
}

TEST(RefusedFiles, OfWeightsSayWhatTheyAre) {
  const std::string net = "layer { name: 'd' type: 'Input' top: 'x' input_param { shape { dim: 1 } } }";
  const std::string pointer = kPointer;
  frontend::ImportOptions options;
  options.weights = {"net.caffemodel", {reinterpret_cast<const uint8_t*>(pointer.data()), pointer.size()}};
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
  const Status status =
      frontend::ImportModel("net.prototxt", {reinterpret_cast<const uint8_t*>(net.data()), net.size()},
                            frontend::SourceFormat::kUnknown, options, &module, &diagnostics);
  EXPECT_NE(std::string(status.message()).find("net.caffemodel: this is a Git LFS pointer"),
            std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace micrort::testing::refused_files
