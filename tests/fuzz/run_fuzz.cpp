// Model files, through all that micrort-run does with them.

#include "tests/fuzz/harness.h"
#include "tests/fuzz/load_and_run.h"
#include "tests/fuzz/scratch.h"
#include "tools/io/session.h"
#include "tools/run/layer_dump.h"
#include "tools/run/output_report.h"

namespace micrort::fuzz {
namespace {

Status Run(const std::string& bytes) {
  const MemoryFile file(bytes);
  MICRORT_ASSIGN_OR_RETURN(const Model model, Model::FromFile(file.path().c_str()));
  std::vector<io::NamedArray> inputs;
  MICRORT_RETURN_IF_ERROR(io::LoadInputs(io::InputSpecs(model), {}, {}, TightLimits(), &inputs));

  const MemoryFolder folder;
  LayerDump dump(folder.path(), {});
  OpResolver resolver = AllOps();
  InterpreterOptions options;
  options.resolver = &resolver.AddCustom(kZeroOut);
  options.limits = TightLimits();
  options.observer = &dump;
  options.whole_tensors = true;
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, io::CreateFor(model, inputs, options));
  io::FillInputs(inputs, &interpreter);
  MICRORT_RETURN_IF_ERROR(interpreter.Run());
  MICRORT_RETURN_IF_ERROR(dump.status());

  MICRORT_RETURN_IF_ERROR(CheckOutputBytes(interpreter, TightLimits()));
  const Silence silence;
  const std::vector<OutputRow> rows = DescribeOutputs(interpreter, {});
  PrintTable(rows, true);
  if (ToJson("model", rows).empty()) return MICRORT_ERROR(kInternal, "no JSON of the outputs");
  return WriteOutputs(interpreter, rows, folder.path());
}

std::string Mutate(const std::string& bytes, Random& random) { return kModel.mutate(bytes, random); }

std::string Cross(const std::string& bytes, const std::string& other, Random& random) {
  return kModel.cross(bytes, other, random);
}

}  // namespace

const Harness kRun = {"run", Run, Mutate, Cross};

}  // namespace micrort::fuzz
