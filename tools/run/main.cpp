// micrort-run: runs a model once on given or random inputs and writes its outputs.

#include <cstdio>

#include "tools/custom_ops/custom_ops.h"
#include "tools/io/board.h"
#include "tools/io/file.h"
#include "tools/io/printable.h"
#include "tools/io/program.h"
#include "tools/io/session.h"
#include "tools/io/standard_streams.h"
#include "tools/io/stated_pictures.h"
#include "tools/run/layer_dump.h"
#include "tools/run/output_report.h"

namespace micrort {
namespace {

constexpr char kExample[] =
    "micrort-run face.fb --input input=photo.jpg --mean 127 --scale 0.0078125 --output-dir out";

struct Flags {
  std::string model, output_dir, dump_dir, json, tuned, labels;
  std::vector<std::string> inputs, custom_ops;
  int threads = 1;
};

void Declare(io::ArgumentParser& parser, Flags* flags) {
  parser.Add("model", &flags->model, "Model file (.fb)").Required().TypeName("OUT.fb");
  parser
      .Add("--input", &flags->inputs,
           "File for an input: .npy, .npz, .pb or a picture. NAME is the tensor's name, its file-safe form "
           "or its position (#0). Other inputs get seeded random values, which stay within tables that they "
           "index. Repeatable")
      .TypeName("NAME=FILE")
      .Repeatable();
  parser.Add("--output-dir", &flags->output_dir, "Write each output into this folder, as NAME.npy")
      .TypeName("DIR");
  parser
      .Add("--labels", &flags->labels,
           "Text file with one label per line: print the five best classes with their labels")
      .TypeName("FILE");
  parser.Add("--threads", &flags->threads, "Threads, the calling one included (default 1)").InRange(1, 64);
  parser.Add("--tuned", &flags->tuned, "Use the algorithms that micrort-bench --tune found on this device")
      .TypeName("FILE");
  io::DeclareCustomOps(parser, &flags->custom_ops);
  parser
      .Add("--dump-layers", &flags->dump_dir,
           "Write the outputs of every operator into this folder, as NAME.npy")
      .TypeName("DIR");
  parser.Add("--json", &flags->json, "Write the table of outputs as JSON; - prints only that on stdout")
      .TypeName("FILE");
}

void Note(const std::string& note) {
  if (!note.empty()) std::fprintf(stderr, "micrort-run: %s\n", io::Printable(note).c_str());
}

Status NoteBoard(const Model& model, const ModelLimits& limits, const Interpreter& interpreter) {
  io::Board board;
  MICRORT_RETURN_IF_ERROR(io::DescribeBoard(model, limits, &board));
  if (!board.is_empty()) Note(io::ElsewhereText(board, IsaName(interpreter.features())));
  return Status();
}

// `sources`: files that were read.
Status Report(const Flags& flags, const std::vector<std::string>& labels,
              const std::vector<std::string>& sources, const Interpreter& interpreter) {
  for (size_t i = 0; i < interpreter.output_count() && !labels.empty(); ++i)
    Note(LabelsNote(interpreter.output(i), flags.labels, labels.size()));
  const std::vector<OutputRow> rows = DescribeOutputs(interpreter, labels);
  if (!flags.output_dir.empty()) {
    MICRORT_RETURN_IF_ERROR(io::CheckOutputFiles(OutputFiles(rows, flags.output_dir), sources));
    MICRORT_RETURN_IF_ERROR(WriteOutputs(interpreter, rows, flags.output_dir));
  }
  if (flags.json == "-") {
    std::printf("%s\n", ToJson(flags.model, rows).c_str());
    return Status();
  }
  PrintTable(rows, !flags.output_dir.empty());
  if (flags.json.empty()) return Status();
  MICRORT_RETURN_IF_ERROR(io::CheckOutputFiles({flags.json}, sources));
  return io::WriteFileAtomically(flags.json, ToJson(flags.model, rows) + "\n");
}

Status Execute(const Flags& flags, const io::PreprocessFlags& pictures, const ModelLimits& limits,
               CpuFeatures features) {
  std::vector<io::InputFile> files(flags.inputs.size());
  for (size_t i = 0; i < files.size(); ++i)
    MICRORT_RETURN_IF_ERROR(io::ParseInputFile(flags.inputs[i], &files[i]));
  MICRORT_ASSIGN_OR_RETURN(Model model, io::OpenModel(flags.model));

  std::vector<std::string> sources;
  for (const io::InputFile& file : files) sources.push_back(file.path);
  io::Preprocess preprocess = pictures.value();
  std::string note = io::PreprocessNote(sources, preprocess);
  if (!pictures.is_given())
    MICRORT_RETURN_IF_ERROR(io::TakeStatedPreprocess(model, sources, &preprocess, &note));
  Note(note);
  sources.push_back(flags.model);
  sources.push_back(flags.tuned);
  sources.push_back(flags.labels);
  sources.insert(sources.end(), flags.custom_ops.begin(), flags.custom_ops.end());
  std::vector<std::string> labels;
  if (!flags.labels.empty()) MICRORT_RETURN_IF_ERROR(ReadLabels(flags.labels, &labels));

  LayerDump dump(flags.dump_dir, sources);
  InterpreterOptions options;
  options.threads = flags.threads;
  options.features = features;
  options.limits = limits;
  options.observer = flags.dump_dir.empty() ? nullptr : &dump;
  options.whole_tensors = !flags.dump_dir.empty();

  OpResolver resolver;
  if (!flags.custom_ops.empty()) {
    resolver = AllOps();
    MICRORT_RETURN_IF_ERROR(io::AddCustomOps(flags.custom_ops, &resolver).WithPrefix("--custom-ops"));
    options.resolver = &resolver;
  }

  TunedChoices tuned;
  if (!flags.tuned.empty()) {
    MICRORT_ASSIGN_OR_RETURN(tuned, TunedChoices::FromFile(flags.tuned.c_str()));
    options.chooser = &tuned;
  }

  std::vector<io::NamedArray> inputs;
  const std::vector<io::InputSpec> specs = io::InputSpecs(model);
  MICRORT_RETURN_IF_ERROR(io::LoadInputs(specs, files, preprocess, limits, &inputs));
  for (size_t i = 0; i < inputs.size(); ++i) Note(io::ConvertedNote(specs[i].name, inputs[i]));
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, io::CreateFor(model, inputs, options));
  for (const std::string* folder : {&flags.output_dir, &flags.dump_dir}) {
    if (!folder->empty()) MICRORT_RETURN_IF_ERROR(io::MakeDirectories(*folder));
  }
  io::FillInputs(inputs, &interpreter);
  MICRORT_RETURN_IF_ERROR(io::BlameRandomIntegers(inputs, interpreter.Run()));
  MICRORT_RETURN_IF_ERROR(dump.status());

  MICRORT_RETURN_IF_ERROR(CheckOutputBytes(interpreter, limits));
  MICRORT_RETURN_IF_ERROR(NoteBoard(model, limits, interpreter));
  return Report(flags, labels, sources, interpreter);
}

int Main(int argc, char** argv) {
  io::ArgumentParser parser(
      "micrort-run",
      "Runs a MicroRT model once and prints the name, type, shape, range and first values of each output.",
      kExample);
  Flags flags;
  Declare(parser, &flags);
  io::PreprocessFlags preprocess(parser);
  return io::RunLimited("micrort-run", parser, argc, argv,
                        [&](const ModelLimits& limits, CpuFeatures features) {
                          return Execute(flags, preprocess, limits, features);
                        });
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) { return micrort::io::RunMain("micrort-run", micrort::Main, argc, argv); }
