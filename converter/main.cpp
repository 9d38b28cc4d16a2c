// mnnconvert: a trained network in, a MicroRT model file out.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "converter/cli/command_line.h"
#include "converter/cli/list_command.h"
#include "converter/cli/realign_command.h"
#include "converter/cli/resolver_command.h"
#include "converter/convert.h"
#include "converter/emit/c_array.h"
#include "converter/emit/file_bytes.h"
#include "converter/observe/progress_format.h"
#include "converter/report/min_snr.h"
#include "converter/report/summary_json.h"
#include "tools/io/file.h"
#include "tools/io/heap_limit.h"
#include "tools/io/heap_use.h"
#include "tools/io/printable.h"
#include "tools/io/program.h"
#include "tools/io/standard_streams.h"

namespace micrort {
namespace {

std::string SummaryJson(const ConvertResult& result) {
  return report::ToJson(result.summary, result.quality ? result.quality->outputs : result.verification,
                        result.expectation, result.task.next_tokens);
}

std::string PathOf(const cli::CommandLine& line, const std::string& emitted) {
  return (std::filesystem::u8path(line.output_path) / emitted).u8string();
}

// `emitted` are known once the model is converted.
std::vector<std::string> OutputFiles(const cli::CommandLine& line, const aot::EmittedFiles& emitted) {
  std::vector<std::string> files = line.report_paths;
  if (!line.options.cpp) files.push_back(line.output_path);
  for (const auto& file : emitted) files.push_back(PathOf(line, file.first));
  if (!line.json_path.empty() && line.json_path != "-") files.push_back(line.json_path);
  return files;
}

Status CheckVerification(const cli::CommandLine& line, const ConvertResult& result) {
  MICRORT_RETURN_IF_ERROR(report::CheckExpected(result.expectation, line.options.quant, line.min_snr));
  if (line.options.verify == VerifyMode::kOff) return Status();
  return report::CheckOutputs(result.quality ? result.quality->outputs : result.verification,
                              line.options.quant, line.min_snr);
}

Status WriteFile(const std::string& path, const AlignedBytes& file) {
  emit::FilePieces pieces(file);
  return io::WriteFileAtomically(path, &pieces);
}

Status WriteModel(const cli::CommandLine& line, const ConvertResult& result) {
  if (line.emits_array && !result.file.outer().empty()) {
    return MICRORT_ERROR(kUnsupported, "--emit array: the model takes %llu bytes, and arrays at most 2 GiB",
                         static_cast<unsigned long long>(emit::FileBytes(result.file)));
  }
  if (line.emits_array) {
    const std::string name = emit::IdentifierFor(line.output_path);
    return io::WriteFileAtomically(line.output_path, emit::CArray(name, result.file));
  }
  if (!line.options.cpp) return WriteFile(line.output_path, result.file);
  for (const auto& file : result.cpp)
    MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(PathOf(line, file.first), file.second));
  return Status();
}

Status WriteReports(const cli::CommandLine& line, const ConvertResult& result) {
  for (const std::string& path : line.report_paths) {
    const bool is_page = io::Extension(path) == "html";
    MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(
        path, is_page ? report::ToHtml(*result.quality) : report::ToJson(*result.quality)));
  }
  if (line.json_path.empty() || line.json_path == "-") return Status();
  return io::WriteFileAtomically(line.json_path, SummaryJson(result));
}

// The command to type next.
std::string NextCommand(const cli::CommandLine& line) {
  if (line.options.cpp || line.emits_array) return "";
  const char* program = line.options.target.is_portable() ? "micrort-run " : "micrort-info ";
  return "next       " + (program + line.output_path) + "\n";
}

void PrintVerification(const cli::CommandLine& line, const ConvertResult& result) {
  if (line.options.verify == VerifyMode::kOff) return;
  const std::string text =
      line.options.verify == VerifyMode::kLayers
          ? report::LayersText(*result.quality)
          : report::ComparisonTable(result.quality ? result.quality->outputs : result.verification,
                                    "verified on " + result.samples + " against the source model in float");
  std::fputs(io::Printable(text).c_str(), stdout);
  if (result.task.accuracy.is_known()) std::printf("%s\n", result.task.accuracy.Text().c_str());
  if (result.task.next_tokens.is_known()) std::printf("%s\n", result.task.next_tokens.Text().c_str());
}

void PrintNotes(const ConvertResult& result) {
  for (const quantize::SampleWarning& warning : result.warnings)
    std::fprintf(stderr, "mnnconvert: warning: %s\n", io::Printable(warning.text()).c_str());
  for (const std::string& note : result.notes)
    std::fprintf(stderr, "mnnconvert: %s\n", io::Printable(note).c_str());
}

void Print(const cli::CommandLine& line, const ConvertResult& result, bool is_written) {
  if (!line.quiet) PrintNotes(result);
  if (line.json_path == "-") {
    std::fputs(SummaryJson(result).c_str(), stdout);
    return;
  }
  std::string summary = report::SummaryText(result.summary), next;
  if (is_written) {
    summary.insert(0, "wrote      " + line.output_path + ", made from " + line.model_path + "\n");
    next = NextCommand(line);
  }
  if (!line.quiet) std::fputs(io::Printable(summary).c_str(), stdout);
  if (!result.expectation.empty()) {
    const std::string title = "compared with what is expected of " + result.samples;
    std::fputs(io::Printable(report::ComparisonTable(result.expectation, title)).c_str(), stdout);
  }
  PrintVerification(line, result);
  if (!line.quiet) std::fputs(io::Printable(next).c_str(), stdout);
}

uint64_t FileBytes(const std::string& path) {
  std::error_code error;
  const uintmax_t bytes = std::filesystem::file_size(std::filesystem::u8path(path), error);
  return error ? 0 : static_cast<uint64_t>(bytes);
}

// What a file may become that is unpacked: an operator of few bytes takes some hundred, but lists that many
// operators have in common are copied for each.
uint64_t RealignHeap(uint64_t file_bytes) {
  constexpr uint64_t kBase = uint64_t{64} << 20;
  return kBase + 64 * file_bytes;
}

// Limits all that a conversion holds, its weights in several forms included.
void LimitMemory(cli::CommandLine* line) {
  constexpr uint64_t kBase = uint64_t{2} << 30;
  uint64_t limit = line->max_memory;
  if (limit == 0) {
    limit = kBase;
    for (const std::string& path : {line->model_path, line->options.weights})
      limit += io::HeapFor(FileBytes(path));
    if (line->realign) limit = std::min(limit, RealignHeap(FileBytes(line->model_path)));
    ModelLimits& limits = line->options.limits;
    limits.max_tensor_bytes = limits.max_memory_bytes = limit / 2;
  }
  io::LimitHeap(static_cast<size_t>(std::min<uint64_t>(limit, PTRDIFF_MAX)));
  io::CurrentHeapUse().grows_with_files = line->max_memory == 0;
}

// A limit on memory is told from other failures to allocate.
Status WithLimit(const Status& status) {
  if (status.code() != StatusCode::kOutOfMemory || !io::CurrentHeapUse().over_limit) return status;
  return MICRORT_ERROR(kUnsupported, "%s (--max-memory)", status.message());
}

int List(const cli::CommandLine& line) {
  std::string text;
  const Status status = WithLimit(cli::ListSource(line.model_path, line.options, &text));
  if (!status.ok()) return io::Fail("mnnconvert", status);
  std::fputs(io::Printable(text).c_str(), stdout);
  return io::kExitOk;
}

int RealignTo(const cli::CommandLine& line) {
  AlignedBytes file;
  Status status = io::CheckOutputFiles({line.output_path}, line.source_paths);
  if (status.ok()) status = WithLimit(cli::Realign(line.model_path, &file));
  if (status.ok()) status = WriteFile(line.output_path, file);
  return status.ok() ? io::kExitOk : io::Fail("mnnconvert", status);
}

int WriteResolver(const cli::CommandLine& line) {
  std::string header;
  Status status = io::CheckOutputFiles({line.output_path}, line.source_paths);
  if (status.ok())
    status = WithLimit(cli::ResolverFor(line.resolver_models, line.resolver_function, &header));
  if (status.ok()) status = io::WriteFileAtomically(line.output_path, header);
  return status.ok() ? io::kExitOk : io::Fail("mnnconvert", status);
}

// The folder of --emit cpp, unless it is there already: gone with all in it if the files are not written.
class NewFolder {
 public:
  explicit NewFolder(std::string path) : path_(std::move(path)) {}
  ~NewFolder() {
    std::error_code ignored;
    if (is_new_) std::filesystem::remove_all(std::filesystem::u8path(path_), ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  Status Make() {
    if (path_.empty() || io::IsDirectory(path_)) return Status();
    MICRORT_RETURN_IF_ERROR(io::MakeDirectories(path_));
    is_new_ = true;
    return Status();
  }
  void Keep() { is_new_ = false; }

 private:
  const std::string path_;
  bool is_new_ = false;
};

int Main(int argc, char** argv) {
  cli::CommandLine line;
  int exit_code = io::kExitOk;
  if (!cli::ParseCommandLine(argc, argv, &line, &exit_code)) return exit_code;
  LimitMemory(&line);
  if (!line.resolver_models.empty()) return WriteResolver(line);
  if (line.list) return List(line);
  if (line.realign) return RealignTo(line);

  observe::SetProgressFormat(line.json_events ? observe::ProgressFormat::kJson
                                              : observe::ProgressFormat::kForPeople);
  ConvertResult result;
  // Early, as a conversion may take long; what else it reads is known later.
  Status status = io::CheckOutputFiles(OutputFiles(line, {}), line.source_paths);
  if (status.ok() && line.options.cpp && std::filesystem::exists(std::filesystem::u8path(line.output_path)) &&
      !io::IsDirectory(line.output_path)) {
    status =
        MICRORT_ERROR(kInvalidArgument, "--emit cpp: expected a folder for --output, found the file '%s'",
                      line.output_path.c_str());
  }
  if (status.ok()) status = WithLimit(Convert(line.model_path, line.options, &result));
  NewFolder folder(line.options.cpp ? line.output_path : "");
  if (status.ok()) status = folder.Make();
  if (status.ok()) status = io::CheckOutputFiles(OutputFiles(line, result.cpp), result.sources);
  if (!status.ok()) {
    const int code = io::Fail("mnnconvert", status);
    std::fputs(io::Printable(report::UnsupportedText(result.unsupported)).c_str(), stderr);
    return code;
  }
  const Status verification = CheckVerification(line, result);
  if (verification.ok()) status = WriteModel(line, result);
  if (status.ok()) folder.Keep();
  if (status.ok()) status = WriteReports(line, result);
  if (status.ok()) Print(line, result, verification.ok());
  if (status.ok()) status = verification;
  return status.ok() ? io::kExitOk : io::Fail("mnnconvert", status);
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) { return micrort::io::RunMain("mnnconvert", micrort::Main, argc, argv); }
