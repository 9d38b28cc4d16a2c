#include "converter/observe/samples.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "converter/ir/budget.h"
#include "tools/io/file.h"
#include "tools/io/heap_use.h"
#include "tools/io/near_names.h"
#include "tools/io/session.h"
#include "tools/io/table_rows.h"

namespace micrort::observe {
namespace {

constexpr uint64_t kSampleCopies = 4;  // as loaded, in the order of the graph's inputs, and in use

bool IsKnownFormat(const std::string& path) {
  static const char* const kExtensions[] = {"npy", "npz", "pb", "png", "jpg", "jpeg", "bmp"};
  const std::string extension = io::Extension(path);
  return std::any_of(std::begin(kExtensions), std::end(kExtensions),
                     [&](const char* e) { return extension == e; });
}

Status ExpandFolder(const std::string& path, std::vector<std::string>* files) {
  if (!io::IsDirectory(path)) {
    files->push_back(path);
    return Status();
  }
  std::vector<std::string> all;
  MICRORT_RETURN_IF_ERROR(io::ListFilesInside(path, &all));
  for (const std::string& file : all) {
    if (IsKnownFormat(file)) files->push_back(file);
  }
  return Status();
}

// Which inputs a command-line argument is for.
struct Source {
  std::vector<size_t> inputs;
  std::string path;
};

// The text before the first '=', unless it is a part of a path that exists.
std::string NameIn(const std::string& text) {
  std::error_code error;
  const size_t equals = text.find('=');
  if (equals == std::string::npos || std::filesystem::exists(std::filesystem::u8path(text), error)) return "";
  return text.substr(0, equals);
}

Status NoSuchInput(const std::string& name, const std::vector<io::InputSpec>& inputs) {
  std::vector<std::string> names;
  std::string listed;
  for (const io::InputSpec& input : inputs) {
    names.push_back(input.name);
    listed += (listed.empty() ? "'" : ", '") + input.name + "'";
  }
  return MICRORT_ERROR(kInvalidArgument, "--calib: '%s' is no input of the model, whose inputs are %s%s",
                       name.c_str(), listed.c_str(), io::DidYouMean(name, names).c_str());
}

Status ParseSource(const std::string& text, const std::vector<io::InputSpec>& inputs, Source* out) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string prefix = inputs[i].name + "=";
    if (text.compare(0, prefix.size(), prefix) == 0) {
      *out = {{i}, text.substr(prefix.size())};
      return Status();
    }
  }
  const std::string name = NameIn(text);
  if (!name.empty()) return NoSuchInput(name, inputs);
  out->path = text;
  if (inputs.size() != 1 && io::Extension(text) != "npz") {
    std::string names;
    for (const io::InputSpec& input : inputs) names += (names.empty() ? "" : ", ") + input.name;
    return MICRORT_ERROR(kInvalidArgument, "--calib: expected NAME=PATH, with NAME one of %s; found '%s'",
                         names.c_str(), text.c_str());
  }
  for (size_t i = 0; i < inputs.size(); ++i) out->inputs.push_back(i);
  return Status();
}

// An infinity may be meant, as masks have them; what is not a number tells nothing.
Status CheckNumbers(const std::string& file, const io::NamedArray& sample) {
  if (sample.dtype != DType::kFloat32) return Status();
  const auto* x = sample.as<float>();
  for (size_t i = 0; i < sample.elements(); ++i) {
    if (!std::isnan(x[i])) continue;
    return MICRORT_ERROR(kInvalidArgument, "--calib: %s: element %zu of a sample is NaN", file.c_str(), i);
  }
  return Status();
}

Status LoadFile(const std::string& file, const io::InputSpec& input, const io::Preprocess& preprocess,
                std::vector<io::NamedArray>* samples) {
  const size_t first = samples->size();
  MICRORT_RETURN_IF_ERROR(io::LoadSamples(file, input, preprocess, samples));
  for (size_t i = first; i < samples->size(); ++i) MICRORT_RETURN_IF_ERROR(CheckNumbers(file, (*samples)[i]));
  return Status();
}

Status CheckCounts(const std::vector<io::InputSpec>& inputs,
                   const std::vector<std::vector<io::NamedArray>>& arrays, size_t count) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (arrays[i].size() == count || arrays[i].size() == 1) continue;
    return MICRORT_ERROR(kInvalidArgument, "--calib: input '%s': expected %zu samples (or 1), found %zu",
                         inputs[i].name.c_str(), count, arrays[i].size());
  }
  return Status();
}

io::TableRows RowsOfTables(const ir::Graph& graph) {
  io::TableRows tables(graph.inputs);
  for (const auto& node : graph.nodes) {
    if (node->code != schema::OpCode::Gather) {
      if (node->has_input(0)) tables.Follow(node->code, node->inputs[0], node->outputs[0]);
      continue;
    }
    const ir::Value& table = graph.value(node->inputs[0]);
    const int axis = node->as<schema::GatherOptionsT>().axis;
    tables.Index(node->inputs[1], table.dim(static_cast<size_t>(axis < 0 ? axis + table.rank() : axis)));
  }
  return tables;
}

}  // namespace

std::vector<io::InputSpec> InputSpecsOf(const ir::Graph& graph) {
  const io::TableRows tables = RowsOfTables(graph);
  std::vector<io::InputSpec> specs;
  for (size_t i = 0; i < graph.caller_inputs(); ++i) {
    const ir::Value& value = graph.value(graph.inputs[i]);
    specs.push_back({value.name, value.dtype, value.shape, value.decides_shapes});
    specs.back().rows = tables.Of(graph.inputs[i], value.name, value.dtype);
  }
  return specs;
}

Status LoadSampleSet(const std::vector<std::string>& paths, const std::vector<io::InputSpec>& inputs,
                     const io::Preprocess& preprocess, std::vector<Sample>* samples,
                     std::vector<std::string>* all_files) {
  std::vector<std::vector<io::NamedArray>> arrays(inputs.size());
  for (const std::string& text : paths) {
    Source source;
    std::vector<std::string> files;
    MICRORT_RETURN_IF_ERROR(ParseSource(text, inputs, &source));
    MICRORT_RETURN_IF_ERROR(ExpandFolder(source.path, &files));
    for (const std::string& file : files) {
      for (const size_t i : source.inputs) {
        const size_t before = arrays[i].size();
        MICRORT_RETURN_IF_ERROR(LoadFile(file, inputs[i], preprocess, &arrays[i]));
        for (size_t s = before; s < arrays[i].size(); ++s)
          io::AllowHeap(kSampleCopies * arrays[i][s].data.size());
      }
    }
    if (all_files != nullptr) all_files->insert(all_files->end(), files.begin(), files.end());
  }
  size_t count = 0;
  for (const auto& of_input : arrays) count = std::max(count, of_input.size());
  if (count == 0)
    return MICRORT_ERROR(
        kInvalidArgument,
        "--calib: no samples found in '%s': expected files of .npy, .npz, .pb, .png, .jpg or .bmp",
        paths[0].c_str());
  MICRORT_RETURN_IF_ERROR(CheckCounts(inputs, arrays, count));

  for (size_t s = 0; s < count; ++s) {
    samples->emplace_back();
    for (const auto& of_input : arrays) samples->back().push_back(of_input[std::min(s, of_input.size() - 1)]);
  }
  return Status();
}

Status RandomSample(const std::vector<io::InputSpec>& inputs, uint64_t seed, Sample* sample) {
  for (const io::InputSpec& input : inputs) {
    if (input.decides_shapes) {
      return MICRORT_ERROR(
          kInvalidArgument,
          "--verify: input '%s' decides shapes, so random values will not do; give some by --calib",
          input.name.c_str());
    }
    std::vector<int64_t> shape = input.shape;
    for (int64_t& d : shape) d = d < 0 ? 1 : d;
    MICRORT_RETURN_IF_ERROR(io::CheckArraySize(input.name, input.dtype, shape, ir::CurrentLimits()));
    sample->push_back(io::RandomArray(input.name, input.dtype, shape, seed + sample->size(), input.rows));
  }
  return Status();
}

}  // namespace micrort::observe
