// micrort-run: runs a model once on given or random inputs and writes its outputs.

#include "tools/io/file.h"
#include "tools/io/program.h"
#include "tools/io/session.h"
#include "tools/run/layer_dump.h"
#include "tools/run/output_report.h"

namespace micrort {
namespace {

constexpr char kExample[] =
    "micrort-run face.fb --input input=photo.jpg --mean 127 --scale 0.0078125 --output-dir out";

struct Flags {
  std::string model, output_dir, dump_dir, json, tuned;
  std::vector<std::string> inputs;
  int threads = 1;
};

void Declare(CLI::App& app, Flags* flags) {
  app.add_option("model", flags->model, "Model file (.fb)")->required()->type_name("OUT.fb");
  app.add_option("--input", flags->inputs,
                 "NAME=FILE, repeatable: .npy, .npz, .pb or a picture. NAME is the tensor's name, its "
                 "file-safe form or "
                 "#0. Inputs not named get seeded random values")
      ->type_name("NAME=FILE")
      ->expected(1)
      ->take_all();
  app.add_option("--output-dir", flags->output_dir, "Write each output there as NAME.npy")->type_name("DIR");
  app.add_option("--threads", flags->threads, "Threads, the calling one included (default 1)")
      ->check(CLI::Range(1, 64));
  app.add_option("--tuned", flags->tuned,
                 "Take the algorithms that micrort-bench --tune found on this device")
      ->type_name("FILE");
  app.add_option("--dump-layers", flags->dump_dir, "Write every operator's outputs there as NAME.npy")
      ->type_name("DIR");
  app.add_option("--json", flags->json, "- prints the outputs' table as one JSON object on stdout")
      ->check(CLI::IsMember({"-"}));
}

Status Execute(const Flags& flags, const io::Preprocess& preprocess, CpuFeatures features) {
  std::vector<io::InputFile> files(flags.inputs.size());
  for (size_t i = 0; i < files.size(); ++i)
    MICRORT_RETURN_IF_ERROR(io::ParseInputFile(flags.inputs[i], &files[i]));
  MICRORT_ASSIGN_OR_RETURN(Model model, Model::FromFile(flags.model.c_str()));

  LayerDump dump(flags.dump_dir);
  InterpreterOptions options;
  options.threads = flags.threads;
  options.features = features;
  options.observer = flags.dump_dir.empty() ? nullptr : &dump;

  TunedChoices tuned;
  if (!flags.tuned.empty()) {
    MICRORT_ASSIGN_OR_RETURN(tuned, TunedChoices::FromFile(flags.tuned.c_str()));
    options.chooser = &tuned;
  }

  std::vector<io::NamedArray> inputs;
  MICRORT_RETURN_IF_ERROR(io::LoadInputs(io::InputSpecs(model), files, preprocess, &inputs));
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, io::CreateFor(model, inputs, options));
  for (const std::string* folder : {&flags.output_dir, &flags.dump_dir}) {
    if (!folder->empty()) MICRORT_RETURN_IF_ERROR(io::MakeDirectories(*folder));
  }
  io::FillInputs(inputs, &interpreter);
  MICRORT_RETURN_IF_ERROR(interpreter.Run());
  MICRORT_RETURN_IF_ERROR(dump.status());

  const std::vector<OutputRow> rows = DescribeOutputs(interpreter);
  if (!flags.output_dir.empty()) MICRORT_RETURN_IF_ERROR(WriteOutputs(interpreter, rows, flags.output_dir));
  if (flags.json.empty()) {
    PrintTable(rows);
  } else {
    PrintJson(flags.model, rows);
  }
  return Status();
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Runs a MicroRT model once and prints position, name, file, type, shape, min and max of each output.",
      "micrort-run");
  Flags flags;
  Declare(app, &flags);
  io::PreprocessFlags preprocess(app);
  io::IsaFlag isa(app);
  int exit_code = 0;
  if (!io::ParseCommandLine(app, argc, argv, kExample, &exit_code)) return exit_code;
  CpuFeatures features = 0;
  Status status = isa.Features(&features);
  if (status.ok()) status = Execute(flags, preprocess.value(), features);
  return status.ok() ? 0 : io::Fail("micrort-run", status);
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) { return micrort::Main(argc, argv); }
