#pragma once
// What every program does alike: exit codes, messages, flags that several have.

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"
#include "tools/io/image.h"

namespace micrort::io {

// Exit codes that users' scripts rely on.
enum ExitCode { kExitOk = 0, kExitUsage = 1, kExitInvalidModel = 2, kExitUnsupported = 3 };

int ExitCodeFor(const Status& status);

// Prints "PROGRAM: error: MESSAGE" on stderr; returns the exit code.
int Fail(const char* program, const Status& status);

// Parses the command line, adding --version and, behind the help text, the example. True if the program goes
// on; false with the exit code set for --help, --version and usage errors.
bool ParseCommandLine(CLI::App& app, int argc, char** argv, const std::string& example, int* exit_code);

// An option that takes one of the names in `choices`.
template <typename T>
CLI::Option* AddChoice(CLI::App& app, const std::string& flag, const std::map<std::string, T>& choices,
                       T* value, const std::string& help) {
  const auto set = [=](const std::string& name) {
    const auto it = choices.find(name);
    if (it != choices.end()) {
      *value = it->second;
      return;
    }
    std::string names;
    for (const auto& choice : choices) names += (names.empty() ? "" : ", ") + choice.first;
    throw CLI::ValidationError(flag, "expected one of " + names + "; found '" + name + "'");
  };
  return app.add_option_function<std::string>(flag, set, help)->type_name("NAME");
}

// --mean, --scale, --color, --resize.
class PreprocessFlags {
 public:
  explicit PreprocessFlags(CLI::App& app);
  const Preprocess& value() const { return value_; }

 private:
  Preprocess value_;
};

// --isa NAME; every instruction set of the CPU without it. kUnsupported if the CPU lacks the named one.
class IsaFlag {
 public:
  explicit IsaFlag(CLI::App& app);
  Status Features(CpuFeatures* out) const;

 private:
  std::string name_;
};

}  // namespace micrort::io
