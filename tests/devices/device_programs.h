#pragma once
// Programs of examples/ for models, without a heap, in the build folder of a device.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace micrort::test::devices {

// The folder of a build without a heap: "build-cortex-m7" or "build-no-heap-armv7", where CTest was told of
// it.
std::string DeviceBuild(const std::string& preset);
// Why nothing can be built there or run here; empty: it can.
std::string WhyNotIn(const std::string& build_folder, const std::vector<std::string>& programs);

class DevicePrograms {
 public:
  // In the folder of a build, from models that are converted for `target`.
  DevicePrograms(std::string build_folder, std::string target);
  // Converts a model: a program `name`, with the interpreter.
  void Add(const std::string& name, const std::string& source, const std::vector<std::string>& flags = {});
  // And one ahead of time, `name`_cpp.
  void AddEmitted(const std::string& name, const std::string& source, const std::vector<std::string>& flags);
  // Programs that only tell what they take in flash, with a model of whose operators they have some or none:
  // "operators" (Conv2D, DepthwiseConv2D, MatMul, Pool2D, Softmax, Reshape and Add of int8), "core" (none)
  // and "trusted_core" (none, and no verifier).
  void AddSizes(const std::string& source, const std::vector<std::string>& flags);
  // The programs of all models added.
  void Build() const;

  std::string ProgramOf(const std::string& name) const { return build_ + "/bin/device_" + name; }
  // The folder of what AddEmitted wrote.
  std::string EmittedTo(const std::string& name) const { return models_ + "/" + name + "_cpp"; }
  std::string ModelOf(const std::string& name) const { return models_ + "/" + name + ".fb"; }
  // What mnnconvert told of a model, as JSON.
  const std::string& summary(const std::string& name) const { return summaries_.at(name); }

 private:
  void Convert(const std::string& source, std::vector<std::string> arguments,
               const std::vector<std::string>& flags, std::string* told) const;

  const std::string build_, target_, models_;
  std::map<std::string, std::string> summaries_;
};

// What a program prints: lines "name value", and others, which are left out.
std::map<std::string, uint64_t> FiguresIn(const std::string& text);

}  // namespace micrort::test::devices
