// Model files, through all that micrort-info does with them.

#include <cstdio>
#include <memory>

#include "converter/emit/aligned_bytes.h"
#include "kernels/base/cpu_features.h"
#include "micrort/model.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/load_and_run.h"
#include "tools/info/describe.h"
#include "tools/info/dot.h"
#include "tools/info/onnx.h"
#include "tools/info/plan.h"
#include "tools/info/program.h"
#include "tools/info/sized.h"
#include "tools/io/file_texts.h"

namespace micrort::fuzz {
namespace {

Status Run(const std::string& bytes) {
  const AlignedBytes file(bytes.data(), bytes.size());
  MICRORT_ASSIGN_OR_RETURN(const Model model, Model::FromBuffer(file.data(), file.size()));
  MICRORT_RETURN_IF_ERROR(io::CheckTexts(model));
  const nlohmann::ordered_json document = DescribeModel("model", model);
  MICRORT_ASSIGN_OR_RETURN(const std::string onnx, ToOnnx(model));
  if (onnx.empty() || ToDot(document).empty())
    return MICRORT_ERROR(kInternal, "a model of which there is nothing to say");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
  PrintModel(document, nowhere.get());
  MICRORT_ASSIGN_OR_RETURN(const Interpreter interpreter,
                           CreateOfSizes(model, {}, DetectCpuFeatures(), TightLimits()));
  PrintPlan(DescribePlan(interpreter), nowhere.get());
  PrintProgram(DescribeProgram(interpreter), nowhere.get());
  return Status();
}

std::string Mutate(const std::string& bytes, Random& random) { return kModel.mutate(bytes, random); }

std::string Cross(const std::string& bytes, const std::string& other, Random& random) {
  return kModel.cross(bytes, other, random);
}

}  // namespace

const Harness kInfo = {"info", Run, Mutate, Cross};

}  // namespace micrort::fuzz
