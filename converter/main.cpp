// mnnconvert: a trained network in, a MicroRT model file out.

#include <cstdio>

#include "converter/cli/command_line.h"
#include "converter/convert.h"
#include "converter/report/summary_json.h"
#include "tools/io/file.h"
#include "tools/io/program.h"

namespace micrort {
namespace {

std::string SummaryJson(const ConvertResult& result) {
  return report::ToJson(result.summary, result.quality ? result.quality->outputs : result.verification);
}

Status WriteFiles(const cli::CommandLine& line, const ConvertResult& result) {
  MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(line.output_path, result.file));
  for (const std::string& path : line.report_paths) {
    const bool is_page = io::Extension(path) == "html";
    MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(
        path, is_page ? report::ToHtml(*result.quality) : report::ToJson(*result.quality)));
  }
  if (line.json_path.empty() || line.json_path == "-") return Status();
  return io::WriteFileAtomically(line.json_path, SummaryJson(result));
}

void Print(const cli::CommandLine& line, const ConvertResult& result) {
  if (!line.quiet) {
    for (const quantize::SampleWarning& warning : result.warnings)
      std::fprintf(stderr, "mnnconvert: warning: %s\n", warning.text().c_str());
    for (const std::string& note : result.notes) std::fprintf(stderr, "mnnconvert: %s\n", note.c_str());
  }
  if (line.json_path == "-") {
    std::fputs(SummaryJson(result).c_str(), stdout);
    return;
  }
  if (!line.quiet) std::fputs(report::SummaryText(result.summary).c_str(), stdout);
  if (line.options.verify == VerifyMode::kOff) return;
  const bool layers = line.options.verify == VerifyMode::kLayers;
  std::fputs(layers ? report::LayersText(*result.quality).c_str()
                    : report::VerifyTable(result.quality ? result.quality->outputs : result.verification,
                                          result.verified_on)
                          .c_str(),
             stdout);
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) {
  using namespace micrort;
  cli::CommandLine line;
  int exit_code = io::kExitOk;
  if (!cli::ParseCommandLine(argc, argv, &line, &exit_code)) return exit_code;

  ConvertResult result;
  Status status = Convert(line.model_path, line.options, &result);
  if (status.ok()) status = WriteFiles(line, result);
  if (!status.ok()) {
    const int code = io::Fail("mnnconvert", status);
    std::fputs(report::UnsupportedText(result.unsupported).c_str(), stderr);
    return code;
  }
  Print(line, result);
  return io::kExitOk;
}
