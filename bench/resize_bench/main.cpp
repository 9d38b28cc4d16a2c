// resize_bench MODEL.fb THREADS FIRST COUNT [INPUT=SIZE | INPUT=+MORE]...
//
// A loop that sets new sizes before each run, as a decoder does whose cache grows: every open dimension is
// FIRST, FIRST + 1, ... for COUNT turns, but for the inputs that are named: SIZE in every turn, or so much
// more than the others. A turn is one Resize and one Run, then the same run again by itself. FIRST larger
// than the last size that was planned, COUNT negative: sizes become smaller.
//
// One line of JSON: medians in milliseconds, the ratio of all turns together to their runs alone, the
// same of the fastest Resize and the fastest runs, for machines that do other work as well, how often a best
// choice was searched for, and how many operators were prepared.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/interpreter/inspect.h"
#include "tools/io/session.h"

namespace micrort::bench {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct NamedSize {
  std::string input;
  bool is_more;
  int64_t size;
};

struct Arguments {
  const char* path;
  int threads;
  int64_t first, count;
  std::vector<NamedSize> named;
};

bool Parse(int argc, char** argv, Arguments* arguments) {
  if (argc < 5) return false;
  *arguments = {argv[1], std::atoi(argv[2]), std::atoll(argv[3]), std::atoll(argv[4]), {}};
  for (int i = 5; i < argc; ++i) {
    const char* equals = std::strchr(argv[i], '=');
    if (equals == nullptr) return false;
    const bool is_more = equals[1] == '+';
    const std::string input(argv[i], static_cast<size_t>(equals - argv[i]));
    arguments->named.push_back({input, is_more, std::atoll(equals + (is_more ? 2 : 1))});
  }
  return true;
}

std::vector<Shape> ShapesAt(const Model& model, const std::vector<NamedSize>& named, int64_t size) {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < model.input_count(); ++i) {
    const TensorView view = model.input(i);
    int64_t own = size;
    for (const NamedSize& n : named) {
      if (n.input == view.name) own = n.is_more ? size + n.size : n.size;
    }
    shapes.push_back(view.shape);
    for (int d = 0; d < view.shape.rank; ++d) {
      if (view.shape[d] < 0) shapes.back()[d] = own;
    }
  }
  return shapes;
}

// Ones, which are token, position and mask.
void FillInputs(Interpreter& interpreter) {
  for (size_t i = 0; i < interpreter.input_count(); ++i) {
    const TensorView view = interpreter.input(i);
    for (size_t k = 0; k < static_cast<size_t>(view.shape.elements()); ++k) {
      if (view.dtype == DType::kFloat32) view.as<float>()[k] = 0.25f;
      if (view.dtype == DType::kInt64) view.as<int64_t>()[k] = 1;
      if (view.dtype == DType::kInt32) view.as<int32_t>()[k] = 1;
      if (view.dtype == DType::kBool) view.as<bool>()[k] = true;
    }
  }
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double Sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum;
}

double Least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

Status Measure(const Arguments& arguments) {
  MICRORT_ASSIGN_OR_RETURN(const Model model, Model::FromFile(arguments.path));
  std::vector<Shape> shapes = ShapesAt(model, arguments.named, arguments.first);
  InterpreterOptions options;
  options.threads = arguments.threads;
  options.input_shapes = {shapes.data(), shapes.size()};
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, Interpreter::Create(model, options));
  std::vector<double> resizes, runs, again;
  size_t searches = 0, prepared = 0;
  for (int64_t turn = 1; turn <= std::abs(arguments.count); ++turn) {
    shapes = ShapesAt(model, arguments.named, arguments.first + (arguments.count < 0 ? -turn : turn));
    Clock::time_point start = Clock::now();
    MICRORT_RETURN_IF_ERROR(interpreter.Resize({shapes.data(), shapes.size()}));
    resizes.push_back(MillisecondsSince(start));
    searches += SearchesOf(interpreter);
    prepared += PreparationsOf(interpreter);
    for (std::vector<double>* times : {&runs, &again}) {
      FillInputs(interpreter);
      start = Clock::now();
      MICRORT_RETURN_IF_ERROR(interpreter.Run());
      times->push_back(MillisecondsSince(start));
    }
  }
  std::printf(
      "{\"resize_ms\": %.4f, \"run_ms\": %.4f, \"run_again_ms\": %.4f, \"ratio\": %.3f, \"ratio_of_best\": "
      "%.3f, \"searches\": %zu, "
      "\"prepared\": %zu, \"arena_bytes\": %zu, \"lower_bound\": %zu}\n",
      Median(resizes), Median(runs), Median(again), (Sum(resizes) + Sum(runs)) / Sum(again),
      (Least(resizes) + Least(runs)) / Least(again), searches, prepared, interpreter.arena_bytes(),
      interpreter.arena_lower_bound());
  return Status();
}

}  // namespace
}  // namespace micrort::bench

int main(int argc, char** argv) {
  micrort::bench::Arguments arguments;
  if (!micrort::bench::Parse(argc, argv, &arguments) || arguments.count == 0) {
    std::fprintf(stderr, "usage: resize_bench MODEL.fb THREADS FIRST COUNT [INPUT=SIZE | INPUT=+MORE]...\n");
    return 1;
  }
  const micrort::Status status = micrort::bench::Measure(arguments);
  if (!status.ok()) std::fprintf(stderr, "resize_bench: error: %s\n", status.message());
  return status.ok() ? 0 : 1;
}
