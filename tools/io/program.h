#pragma once
// What every program does alike: exit codes, messages, flags that several have.

#include <functional>
#include <string>
#include <vector>

#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"
#include "micrort/model_limits.h"
#include "tools/io/argument_parser.h"
#include "tools/io/image.h"

namespace micrort::io {

// Exit codes that users' scripts rely on.
enum ExitCode { kExitOk = 0, kExitUsage = 1, kExitInvalidModel = 2, kExitUnsupported = 3 };

int ExitCodeFor(const Status& status);

// Prints "PROGRAM: error: MESSAGE" on stderr; returns the exit code.
int Fail(const char* program, const Status& status);

// --mean, --scale, --color, --resize.
class PreprocessFlags {
 public:
  explicit PreprocessFlags(ArgumentParser& parser);
  const Preprocess& value() const { return value_; }
  bool is_given() const;  // one of them

 private:
  Preprocess value_;
  std::vector<Option> options_;
};

// --max-memory, --max-work.
class LimitFlags {
 public:
  explicit LimitFlags(ArgumentParser& parser);
  ModelLimits limits() const;
  // As given, or 0.
  uint64_t max_memory() const { return memory_.is_given() ? max_memory_ : 0; }

 private:
  uint64_t max_memory_ = 0, max_work_ = 0;
  Option memory_, work_;
};

// --custom-ops LIB.so, repeatable.
void DeclareCustomOps(ArgumentParser& parser, std::vector<std::string>* libraries);

// --isa NAME; every instruction set of the CPU without it. kUnsupported if the CPU lacks the named one.
class IsaFlag {
 public:
  explicit IsaFlag(ArgumentParser& parser);
  Status Features(CpuFeatures* out) const;

 private:
  std::string name_;
};

// Adds --max-memory, --max-work and --isa, parses the command line, and calls `execute` with what they say.
// Returns the exit code.
int RunLimited(const char* program, ArgumentParser& parser, int argc, char** argv,
               const std::function<Status(const ModelLimits& limits, CpuFeatures features)>& execute);

}  // namespace micrort::io
