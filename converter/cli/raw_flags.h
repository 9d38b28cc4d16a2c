#pragma once
// mnnconvert's flags as they are typed, those whose values need more than a conversion of their text.

#include <string>
#include <vector>

#include "converter/cli/command_line.h"
#include "kernels/base/rounding.h"
#include "tools/io/argument_parser.h"

namespace micrort::cli {

enum class Emit { kFlatbuffer, kArray, kCpp, kResolver };

struct RawFlags {
  Emit emit = Emit::kFlatbuffer;
  aot::CppOptions cpp;
  io::Option cpp_class_option, weights_as_option, thread_pool_option, batch_option;
  std::string verify;
  std::vector<std::string> input_shapes, input_types, input_values, max_sizes, states, keep_float, repair;
  std::string layer_types;
  std::vector<std::string> targets;
  std::string max_arena, memory_regions;
  double min_snr = 0.0;
  int kv_cache = 0, kv_chunk = 0;
  Rounding rounding = Rounding::kExact;
  io::Option rounding_option, max_arena_option, calibration_method_option, max_loss_option, goal_option,
      min_snr_option, labels_option, tokenizer_option, kv_cache_option, kv_chunk_option, kv_type_option;
};

constexpr char kListFlag[] = "--list";
constexpr char kRealignFlag[] = "--realign";

// All of a conversion's flags. The first line of a help is for --help, the others for --help-all.
void DeclareFlags(io::ArgumentParser& parser, bool lists, CommandLine* line, RawFlags* raw);
void DeclareRealignFlag(io::ArgumentParser& parser, CommandLine* line);
void DeclareEmitFlag(io::ArgumentParser& parser, const std::string& help, Emit* emit);

// --target, --target-threads and --packed-only. kInvalidArgument, with the target that is meant, for names of
// devices and systems that are none.
Status ReadTargets(const std::vector<std::string>& names, ConvertOptions* options);

}  // namespace micrort::cli
