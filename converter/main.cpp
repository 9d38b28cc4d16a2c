// mnnconvert: a trained network in, a MicroRT model file out.

#include <cstdio>

#include "converter/cli/command_line.h"
#include "converter/convert.h"
#include "tools/io/file.h"
#include "tools/io/program.h"

int main(int argc, char** argv) {
  using namespace micrort;
  cli::CommandLine line;
  int exit_code = io::kExitOk;
  if (!cli::ParseCommandLine(argc, argv, &line, &exit_code)) return exit_code;

  ConvertResult result;
  Status status = Convert(line.model_path, line.options, &result);
  if (status.ok()) status = io::WriteFileAtomically(line.output_path, result.file);
  if (!status.ok()) {
    const int code = io::Fail("mnnconvert", status);
    std::fputs(report::UnsupportedText(result.unsupported).c_str(), stderr);
    return code;
  }
  if (!line.quiet) {
    for (const std::string& warning : result.warnings) {
      std::fprintf(stderr, "mnnconvert: warning: %s\n", warning.c_str());
    }
    for (const std::string& note : result.notes) std::fprintf(stderr, "mnnconvert: %s\n", note.c_str());
    std::fputs(report::SummaryText(result.summary).c_str(), stdout);
  }
  if (!result.verification.empty()) {
    std::fputs(report::VerifyTable(result.verification, result.verified_on).c_str(), stdout);
  }
  return io::kExitOk;
}
