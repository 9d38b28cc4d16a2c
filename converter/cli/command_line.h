#pragma once
// mnnconvert's command line.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "converter/options.h"
#include "kernels/base/status.h"

namespace micrort::cli {

struct CommandLine {
  std::string model_path;
  std::string output_path;                // a folder where C++ is emitted
  std::vector<std::string> source_paths;  // of all files that flags name, but samples; "" among them
  std::vector<std::string> report_paths;  // of .html and .json
  std::string json_path;                  // of the summary; "-": stdout, which then has nothing else
  ConvertOptions options;
  std::optional<double> min_snr;  // dB; none: the default of the type
  bool quiet = false;
  bool json_events = false;
  bool list = false;         // what the model offers; nothing is written
  bool realign = false;      // lay out the file of flatc that is the model; nothing is converted
  bool emits_array = false;  // the file as a C array
  // Models whose operators become a resolver; nothing is converted.
  std::vector<std::string> resolver_models;
  std::string resolver_function = "ModelOps";
  uint64_t max_memory = 0;  // of the heap; 0: by the size of the model
};

// "NAME=16000" or "NAME=FILE" as --input-value takes it.
Status ParseInputValue(const std::string& text, frontend::InputValue* out);

// "NAME=400" as --max-size takes it.
Status ParseMaxSize(const std::string& text, ir::MaxSize* out);

// "NAME=int64" as --input-type takes it.
Status ParseInputType(const std::string& text, frontend::InputType* out);

// True if there is something to convert; else *exit_code is what the program ends with, and everything has
// been printed.
bool ParseCommandLine(int argc, char** argv, CommandLine* out, int* exit_code);

}  // namespace micrort::cli
