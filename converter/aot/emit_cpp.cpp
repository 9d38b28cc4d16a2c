#include "converter/aot/emit_cpp.h"

#include "converter/aot/class_text.h"

namespace micrort::aot {

Status EmitCpp(const AlignedBytes& file, const CppRequest& request, EmittedFiles* files, uint64_t* bytes,
               std::vector<std::string>* notes) {
  if (!file.outer().empty()) return MICRORT_ERROR(kUnsupported, "the model's weights are over 2 GiB");
  const std::vector<int>& batches = request.options.batches;
  AotModel model;
  MICRORT_RETURN_IF_ERROR(model.Init(file, request.target, {batches.data(), batches.size()}));
  if (request.max_arena && model.bytes() > *request.max_arena) {
    return MICRORT_ERROR(kUnsupported, "the emitted code needs %zu bytes of memory, over --max-arena %llu",
                         model.bytes(), static_cast<unsigned long long>(*request.max_arena));
  }
  *bytes = model.bytes();
  notes->insert(notes->end(), model.notes().begin(), model.notes().end());
  ClassText text;
  for (AotProgram& program : model.programs()) {
    text.steps.emplace_back();
    MICRORT_RETURN_IF_ERROR(PrintSteps(&program, &text.steps.back()));
  }
  MICRORT_RETURN_IF_ERROR(DescribeClass(request, model, &text));
  const std::string& stem = text.file_stem;
  // First, because it may add to the constants.
  const std::string source = SourceText(&model, text);
  *files = {{stem + ".h", HeaderText(text)},
            {stem + ".cpp", source},
            {stem + "_test.cpp", TestText(text)},
            {stem + "_benchmark.cpp", BenchmarkText(text)},
            {"CMakeLists.txt", CMakeText(text)}};
  if (request.options.weights_as_array) {
    files->emplace_back(stem + "_weights.cpp", ConstantsArray(text));
    return Status();
  }
  const std::vector<uint8_t>& constants = model.constants().bytes();
  files->emplace_back(stem + "_weights.S", ConstantsAssembly(text));
  files->emplace_back(stem + "_weights.bin", std::string(constants.begin(), constants.end()));
  return Status();
}

}  // namespace micrort::aot
