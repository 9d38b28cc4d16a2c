#include "converter/observe/expected_values.h"

#include <algorithm>
#include <filesystem>

#include "converter/ir/computed_names.h"
#include "tools/io/file.h"
#include "tools/io/heap_use.h"
#include "tools/io/load.h"
#include "tools/io/near_names.h"
#include "tools/io/npy.h"
#include "tools/io/tensor_floats.h"

namespace micrort::observe {
namespace {

constexpr uint64_t kExpectedCopies = 5;  // as loaded, and as floats, which of bytes are four times as much

class Loader {
 public:
  Loader(const ir::Graph& source, size_t samples, std::vector<ExpectedTensor>* expected)
      : source_(source), samples_(samples), expected_(*expected) {}

  Status Load(const std::string& argument, std::string* file) {
    *file = argument;
    for (size_t equals = argument.find('='); equals != std::string::npos;
         equals = argument.find('=', equals + 1)) {
      const ir::ValueId id = source_.FindValue(argument.substr(0, equals));
      if (id == ir::kNoValue) continue;
      *file = argument.substr(equals + 1);
      return LoadTensor(*file, id);
    }
    const size_t equals = argument.find('=');
    if (equals != std::string::npos && !std::filesystem::exists(std::filesystem::u8path(argument)))
      return Unknown(argument.substr(0, equals));
    if (source_.outputs.size() == 1 && io::Extension(argument) != "npz")
      return LoadTensor(argument, source_.outputs[0]);
    if (io::Extension(argument) == "npz") return LoadMembers(argument);
    return MICRORT_ERROR(kInvalidArgument,
                         "--expect: the model has %zu outputs; expected NAME=FILE, found '%s'",
                         source_.outputs.size(), argument.c_str());
  }

 private:
  Status Unknown(const std::string& name) const {
    return MICRORT_ERROR(kInvalidArgument, "--expect: the model has no tensor '%s'; names like it: %s",
                         name.c_str(), io::NearNames(name, ir::ComputedNames(source_)).c_str());
  }

  Status LoadMembers(const std::string& file) {
    std::vector<uint8_t> bytes;
    std::vector<io::NamedArray> members;
    MICRORT_RETURN_IF_ERROR(io::ReadFile(file, &bytes));
    MICRORT_RETURN_IF_ERROR(io::ParseNpz(file, {bytes.data(), bytes.size()}, &members));
    for (const io::NamedArray& member : members) {
      const ir::ValueId id = source_.FindValue(member.name);
      if (id == ir::kNoValue) return Unknown(member.name);
      MICRORT_RETURN_IF_ERROR(
          Add(file, id, [&](const io::InputSpec& spec, std::vector<io::NamedArray>* arrays) {
            return io::SamplesOf(file, member, spec, arrays);
          }));
    }
    return Status();
  }

  Status LoadTensor(const std::string& file, ir::ValueId id) {
    return Add(file, id, [&](const io::InputSpec& spec, std::vector<io::NamedArray>* arrays) {
      return io::LoadSamples(file, spec, {}, arrays);
    });
  }

  // `load` gives the samples of the tensor.
  template <typename Load>
  Status Add(const std::string& file, ir::ValueId id, Load load) {
    const ir::Value& value = source_.value(id);
    if (value.is_constant())
      return MICRORT_ERROR(kInvalidArgument, "--expect: '%s' is a constant", value.name.c_str());
    if (!value.has_shape) {
      return MICRORT_ERROR(kInvalidArgument, "--expect: the shape of '%s' is not known before it is computed",
                           value.name.c_str());
    }
    const auto is_it = [&](const ExpectedTensor& e) { return e.name == value.name; };
    if (std::any_of(expected_.begin(), expected_.end(), is_it))
      return MICRORT_ERROR(kInvalidArgument, "--expect: '%s' is given twice", value.name.c_str());
    // Half tensors are expected as floats, which tell more.
    const DType dtype = IsFloat(value.dtype) ? DType::kFloat32 : value.dtype;
    std::vector<io::NamedArray> arrays;
    MICRORT_RETURN_IF_ERROR(load({value.name, dtype, value.shape}, &arrays).WithPrefix("--expect"));
    if (arrays.size() != samples_) {
      return MICRORT_ERROR(kInvalidArgument,
                           "--expect: %s: '%s': expected %zu samples, as --calib has, found %zu",
                           file.c_str(), value.name.c_str(), samples_, arrays.size());
    }
    expected_.push_back({value.name, {}});
    for (const io::NamedArray& array : arrays) io::AllowHeap(kExpectedCopies * array.data.size());
    for (const io::NamedArray& array : arrays) expected_.back().samples.push_back(ToFloats(array, value));
    return Status();
  }

  static std::vector<float> ToFloats(const io::NamedArray& array, const ir::Value& value) {
    TensorView view;
    view.dtype = array.dtype;
    view.shape.rank = static_cast<int>(array.shape.size());
    std::copy(array.shape.begin(), array.shape.end(), view.shape.dims);
    view.data = const_cast<uint8_t*>(array.data.data());
    const ir::Quantization& q = value.quantization;
    view.quantization = {q.scales.data(), q.zero_points.empty() ? nullptr : q.zero_points.data(),
                         q.scales.size(), q.axis, q.group};
    return io::ToFloats(view);
  }

  const ir::Graph& source_;
  const size_t samples_;
  std::vector<ExpectedTensor>& expected_;
};

}  // namespace

Status LoadExpected(const std::vector<std::string>& arguments, const ir::Graph& source, size_t samples,
                    std::vector<ExpectedTensor>* expected, std::vector<std::string>* files) {
  Loader loader(source, samples, expected);
  for (const std::string& argument : arguments) {
    files->emplace_back();
    MICRORT_RETURN_IF_ERROR(loader.Load(argument, &files->back()));
  }
  return Status();
}

}  // namespace micrort::observe
