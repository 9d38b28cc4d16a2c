// What is emitted beside the class: its test, its benchmark and a CMakeLists.txt.

#include <algorithm>

#include "converter/aot/class_text.h"

namespace micrort::aot {
namespace {

constexpr char kTest[] =
    R"(// Runs @CLASS@ on seeded numbers: twice, in memory of its own and in the caller's, and compares.
// With arguments, DIR ARG0.bin ..., runs it on these files instead and writes its results to DIR/result0.bin ...@WHICH_BATCH@
// Written by mnnconvert.
#include "@STEM@.h"

#include <cstdio>
#include <cstring>

namespace {

using Class = ::@CLASS@;
using Mode = Class::AllocMode;

// Memory for everything, so that nothing needs a heap or a large stack.
Class with_args;
Class without_args(Mode::RESULTS_PROFILES_AND_TEMPS_ONLY);
@STORAGE@
constexpr int kBatchCount = @BATCH_COUNT@;
int batch = kBatchCount - 1;  // its position among those that the class computes

struct Port {
  void* data;  // memory of this program
  size_t batch_bytes[kBatchCount];
  size_t element_bytes;
  bool is_float;

  size_t bytes() const { return batch_bytes[batch]; }
};
Port args[] = {@ARG_PORTS@};
Port results[] = {@RESULT_PORTS@};

// The size after the last run.
size_t ResultBytes(const Class& computed, int i) {
  (void)computed;
@OPEN_BYTES@  return results[i].bytes();
}

void FillArgs() {
  uint32_t state = 1;
  for (int i = 0; i < Class::kNumArgs; ++i) {
    for (size_t k = 0; k < args[i].bytes() / (args[i].is_float ? 4 : 1); ++k) {
      state = state * 1664525u + 1013904223u;
      const float value = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
      if (args[i].is_float) {
        std::memcpy(static_cast<char*>(args[i].data) + 4 * k, &value, 4);
      } else {
        // Integers 0 and 1, which most models take as indices, too.
        static_cast<unsigned char*>(args[i].data)[k] =
            static_cast<unsigned char>(k % args[i].element_bytes == 0 ? state >> 31 : 0);
      }
    }
  }
}

bool SetBatch(int position) {
  batch = position;
  return @SET_BATCH@;
}

bool Run(Class& computed) {
@RESET_STATE@  if (computed.Run()) return true;
  std::fprintf(stderr, "Failed: %s\n", computed.error_msg());
  return false;
}

bool RunWithArgs() {
  for (int i = 0; i < Class::kNumArgs; ++i) std::memcpy(with_args.arg_data(i), args[i].data, args[i].bytes());
  return Run(with_args);
}

bool ResultsAreKept(const Class& computed) {
  for (int i = 0; i < Class::kNumResults; ++i) {
    const size_t bytes = ResultBytes(computed, i);
    if (bytes == ResultBytes(with_args, i) && std::memcmp(computed.result_data(i), results[i].data, bytes) == 0)
      continue;
    std::fprintf(stderr, "Failed: result %d differs from that of the first run\n", i);
    return false;
  }
  return true;
}

bool Compare() {
  FillArgs();
  if (!RunWithArgs()) return false;
  for (int i = 0; i < Class::kNumResults; ++i)
    std::memcpy(results[i].data, with_args.result_data(i), ResultBytes(with_args, i));
  if (!RunWithArgs() || !ResultsAreKept(with_args)) return false;
  for (int i = 0; i < Class::kNumArgs; ++i) without_args.set_arg_data(i, args[i].data);
  return Run(without_args) && ResultsAreKept(without_args) && Run(without_args) && ResultsAreKept(without_args);
}

int CompareBatches() {
  for (int i = 0; i < kBatchCount; ++i) {
    if (!SetBatch(i) || !Compare()) return 1;
  }
  std::puts("Success");
  return 0;
}

bool ReadArg(const char* path, const Port& arg) {
  std::FILE* const file = std::fopen(path, "rb");
  const bool ok = file != nullptr && std::fread(arg.data, 1, arg.bytes(), file) == arg.bytes();
  if (file != nullptr) std::fclose(file);
  if (!ok) std::fprintf(stderr, "Failed: %s does not hold %zu bytes\n", path, arg.bytes());
  return ok;
}

bool WriteResult(const char* folder, int i) {
  char path[4096];
  std::snprintf(path, sizeof path, "%s/result%d.bin", folder, i);
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr) {
    std::fprintf(stderr, "Failed: cannot write %s\n", path);
    return false;
  }
  const size_t bytes = ResultBytes(with_args, i);
  const bool ok = std::fwrite(with_args.result_data(i), 1, bytes, file) == bytes;
  return std::fclose(file) == 0 && ok;
}

@FIT_BATCH@int RunFiles(char** argv) {
@CALL_FIT_BATCH@  for (int i = 0; i < Class::kNumArgs; ++i) {
    if (!ReadArg(argv[2 + i], args[i])) return 1;
  }
  if (!RunWithArgs()) return 1;
  for (int i = 0; i < Class::kNumResults; ++i) {
    if (!WriteResult(argv[1], i)) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) return CompareBatches();
  if (argc == 2 + Class::kNumArgs) return RunFiles(argv);
  std::fprintf(stderr, "usage: %s [DIR ARG.bin...], with %d arguments\n", argv[0], Class::kNumArgs);
  return 1;
}
)";

constexpr char kBenchmark[] = R"(// Measures @CLASS@ on zeros: @STEM@_benchmark [RUNS]. Written by mnnconvert.
#include "@STEM@.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

using Class = ::@CLASS@;
alignas(Class) unsigned char storage[sizeof(Class)];

constexpr int kMostRuns = 10000;
double milliseconds[kMostRuns];

double Since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double MeasureRun(Class& computed) {
  const auto begin = std::chrono::steady_clock::now();
  if (!computed.Run()) {
    std::fprintf(stderr, "Failed: %s\n", computed.error_msg());
    std::exit(1);
  }
  return Since(begin);
}

void Measure(Class& computed, int runs) {
  std::printf("first run %.4f ms\n", MeasureRun(computed));
  for (int i = 0; i < runs; ++i) milliseconds[i] = MeasureRun(computed);
  std::sort(milliseconds, milliseconds + runs);
  std::printf("%d runs: min %.4f ms, median %.4f ms, max %.4f ms\n", runs, milliseconds[0],
              milliseconds[runs / 2], milliseconds[runs - 1]);
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = std::clamp(argc > 1 ? std::atoi(argv[1]) : 100, 1, kMostRuns);
  std::printf("memory %zu bytes, constants %zu bytes\n", Class::kBytes, Class::kConstantBytes);
  // Pages that the system gives when they are first touched are no part of constructing.
  std::memset(storage, 0, sizeof storage);
  const auto begin = std::chrono::steady_clock::now();
  Class& computed = *new (storage) Class;
  std::printf("construction %.6f ms\n", Since(begin));
@MEASURE@  return 0;
}
)";

constexpr char kMeasure[] = R"(  Measure(computed, runs);
)";
constexpr char kMeasureBatches[] = R"(  for (const int batch : Class::kBatches) {
    if (!computed.set_batch(batch)) return 1;
    std::printf("batch of %d\n", batch);
    Measure(computed, runs);
  }
)";

constexpr char kFitBatch[] = R"(// The batch whose arguments are as large as the file.
bool FitBatch(const char* path) {
  std::FILE* const file = std::fopen(path, "rb");
  const bool is_open = file != nullptr && std::fseek(file, 0, SEEK_END) == 0;
  const long bytes = is_open ? std::ftell(file) : -1;
  if (file != nullptr) std::fclose(file);
  for (int i = 0; i < kBatchCount; ++i) {
    if (bytes >= 0 && args[0].batch_bytes[i] == static_cast<size_t>(bytes)) return SetBatch(i);
  }
  std::fprintf(stderr, "Failed: %s has the size of no batch\n", path);
  return false;
}

)";
constexpr char kCallFitBatch[] = R"(  if (!FitBatch(argv[2])) return 1;
)";

constexpr char kCMake[] =
    R"(# @CLASS@ as a library, @STEM@, with its test and its benchmark. Written by mnnconvert.
cmake_minimum_required(VERSION 3.16)
project(@STEM@ LANGUAGES @LANGUAGES@)

# The kernels: of a build that this is a part of, or installed.
if(NOT TARGET MicroRT::kernels)
  find_package(MicroRT REQUIRED)
endif()

add_library(@STEM@ STATIC ${CMAKE_CURRENT_LIST_DIR}/@STEM@.cpp ${CMAKE_CURRENT_LIST_DIR}/@CONSTANTS@)
target_include_directories(@STEM@ PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_compile_features(@STEM@ PUBLIC cxx_std_17)
target_link_libraries(@STEM@ PUBLIC MicroRT::kernels)
# Wherever the rest of a build does without exact arithmetic.
target_compile_options(@STEM@ PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-fast-math>)
@INCBIN@@OPERATORS@
foreach(program test benchmark)
  add_executable(@STEM@_${program} ${CMAKE_CURRENT_LIST_DIR}/@STEM@_${program}.cpp)
  target_link_libraries(@STEM@_${program} PRIVATE @STEM@)
  # Only the kernels that are called stay.
  target_link_options(@STEM@_${program} PRIVATE -Wl,--gc-sections)
endforeach()
enable_testing()
add_test(NAME @STEM@_test COMMAND @STEM@_test)
)";

constexpr char kIncbin[] =
    R"(set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/@CONSTANTS@ PROPERTIES
  OBJECT_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/@STEM@_weights.bin)
)";

constexpr char kOperators[] =
    R"(# What @STEM@.h declares as extern "C"; without it, whoever links the library brings it along.
set(@STEM@_OPERATORS "" CACHE STRING "Sources of the custom operators of @CLASS@")
if(NOT @STEM@_OPERATORS)
  return()
endif()
target_sources(@STEM@ PRIVATE ${@STEM@_OPERATORS})
)";

std::string Storage(const std::vector<Port>& ports, const std::string& kind) {
  std::string text;
  for (size_t i = 0; i < ports.size(); ++i) {
    size_t bytes = 0;
    for (const Tensor* tensor : ports[i].tensors) bytes = std::max(bytes, tensor->bytes());
    text += "alignas(64) unsigned char " + kind + std::to_string(i) + "[" +
            std::to_string(bytes == 0 ? 1 : bytes) + "];\n";
  }
  return text;
}

std::string Ports(const std::vector<Port>& ports, const std::string& kind) {
  std::string text;
  for (size_t i = 0; i < ports.size(); ++i) {
    const std::string name = kind + std::to_string(i);
    std::string bytes;
    for (const Tensor* tensor : ports[i].tensors)
      bytes += (bytes.empty() ? "" : ", ") + std::to_string(tensor->bytes());
    text += (i == 0 ? "{" : ", {") + name + ", {" + bytes + "}, " +
            std::to_string(SizeOf(ports[i].largest().dtype)) + ", " +
            (ports[i].type == "float" ? "true}" : "false}");
  }
  return ports.empty() ? "{nullptr, {}, 1, false}" : text;
}

std::string OpenBytes(const std::vector<Port>& results) {
  std::string text;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].open == nullptr) continue;
    text += "  if (i == " + std::to_string(i) + ") return static_cast<size_t>(computed.result" +
            std::to_string(i) + "_size());\n";
  }
  return text;
}

std::string ConstantsFile(const ClassText& text) {
  return text.file_stem + (text.options().weights_as_array ? "_weights.cpp" : "_weights.S");
}

}  // namespace

std::string TestText(const ClassText& text) {
  const bool has_batches = text.model->has_batches();
  constexpr char kSetBatches[] =
      "with_args.set_batch(Class::kBatches[batch]) && without_args.set_batch(Class::kBatches[batch])";
  return Fill(kTest, {{"CLASS", text.qualified_name()},
                      {"STEM", text.file_stem},
                      {"BATCH_COUNT", std::to_string(text.model->programs().size())},
                      {"WHICH_BATCH", has_batches ? ",\n// with the batch that fits the first." : ""},
                      {"SET_BATCH", has_batches ? kSetBatches : "true"},
                      {"FIT_BATCH", has_batches ? kFitBatch : ""},
                      {"CALL_FIT_BATCH", has_batches ? kCallFitBatch : ""},
                      {"RESET_STATE", text.vars.empty() ? "" : "  computed.ResetState();\n"},
                      {"STORAGE", Storage(text.args, "arg") + Storage(text.results, "result")},
                      {"ARG_PORTS", Ports(text.args, "arg")},
                      {"OPEN_BYTES", OpenBytes(text.results)},
                      {"RESULT_PORTS", Ports(text.results, "result")}});
}

std::string BenchmarkText(const ClassText& text) {
  return Fill(kBenchmark, {{"CLASS", text.qualified_name()},
                           {"STEM", text.file_stem},
                           {"MEASURE", text.model->has_batches() ? kMeasureBatches : kMeasure}});
}

std::string CMakeText(const ClassText& text) {
  const bool as_array = text.options().weights_as_array;
  const bool has_custom = !text.custom().empty();
  return Fill(kCMake, {{"INCBIN", as_array ? "" : kIncbin},
                       {"OPERATORS", has_custom ? kOperators : ""},
                       {"LANGUAGES", std::string(has_custom ? "C CXX" : "CXX") + (as_array ? "" : " ASM")},
                       {"CLASS", text.qualified_name()},
                       {"STEM", text.file_stem},
                       {"CONSTANTS", ConstantsFile(text)}});
}

}  // namespace micrort::aot
