#include "tests/converter/torch_archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "tests/kept_seeds.h"

namespace micrort::testing {

namespace {

std::string Little(uint64_t v, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(v >> (8 * i) & 0xff);
  return text;
}

std::string PickledInts(const std::vector<int64_t>& v) {
  std::string text = "(";
  for (const int64_t i : v) text += PickledInt(static_cast<int32_t>(i));
  return text + "t";
}

}  // namespace

std::string PickledText(const std::string& text) { return "X" + Little(text.size(), 4) + text; }
std::string PickledInt(int32_t v) { return "J" + Little(static_cast<uint32_t>(v), 4); }
std::string PickledGlobal(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}

std::string PickledTensor(const std::string& key, const std::vector<int64_t>& shape,
                          const std::vector<int64_t>& strides, int64_t offset, int64_t numel) {
  const std::string storage = "(" + PickledText("storage") + PickledGlobal("torch", "FloatStorage") +
                              PickledText(key) + PickledText("cpu") +
                              PickledInt(static_cast<int32_t>(numel)) + "tQ";
  return PickledGlobal("torch._utils", "_rebuild_tensor_v2") + "(" + storage +
         PickledInt(static_cast<int32_t>(offset)) + PickledInts(shape) + PickledInts(strides) + "\x89" +
         PickledGlobal("collections", "OrderedDict") + ")RtR";
}

TorchArchive::TorchArchive(const std::string& methods) {
  entries_["code/__torch__.py"] = "class Net(Module):\n  __parameters__ = []\n  training : bool\n" + methods;
  entries_["version"] = "3\n";
  entries_["constants.pkl"] = "\x80\x02).";
}

TorchArchive& TorchArchive::Tensor(const std::string& name, const std::vector<int64_t>& shape,
                                   const Floats& elements) {
  const std::string key = std::to_string(storages_++);
  std::string bytes(elements.size() * sizeof(float), '\0');
  if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  entries_["data/" + key] = bytes;
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return Attribute(name, PickledTensor(key, shape, strides, 0, static_cast<int64_t>(elements.size())));
}

TorchArchive& TorchArchive::Attribute(const std::string& name, const std::string& pickled) {
  attributes_ += PickledText(name) + pickled;
  return *this;
}

TorchArchive& TorchArchive::Entry(const std::string& name, const std::string& content) {
  entries_[name] = content;
  return *this;
}

std::string TorchArchive::Bytes() const {
  std::map<std::string, std::string> entries = entries_;
  entries.emplace("data.pkl",
                  "\x80\x02" + PickledGlobal("__torch__", "Net") + ")\x81}(" + attributes_ + "ub.");
  return ZipOf(entries);
}

std::string ZipOf(const std::map<std::string, std::string>& entries) {
  std::string file, directory;
  for (const auto& [name, content] : entries) {
    const std::string path = "net/" + name;
    const std::string sizes =
        Little(0, 4) + Little(content.size(), 4) + Little(content.size(), 4) + Little(path.size(), 2);
    directory += "PK\x01\x02" + Little(0, 4) + Little(0, 2) + Little(0, 2) + Little(0, 4) + sizes +
                 std::string(12, '\0') + Little(file.size(), 4) + path;
    file += "PK\x03\x04" + Little(0, 2) + Little(0, 4) + Little(0, 4) + sizes + Little(0, 2) + path + content;
  }
  const std::string count = Little(entries.size(), 2);
  return file + directory + "PK\x05\x06" + Little(0, 4) + count + count + Little(directory.size(), 4) +
         Little(file.size(), 4) + Little(0, 2);
}

namespace {

const char kShapesFollow[] = "SHAPES";
constexpr size_t kTrailerEnd = 2 + sizeof kShapesFollow - 1;  // length of the text, and the word

}  // namespace

std::string WithInputShapes(const std::string& archive, const InputShapes& shapes) {
  std::string text;
  for (const auto& [name, dims] : shapes) {
    text += name;
    for (const int64_t dim : dims) text += ' ' + std::to_string(dim);
    text += '\n';
  }
  return archive + text + Little(text.size(), 2) + kShapesFollow;
}

InputShapes TakeInputShapes(std::string* bytes) {
  if (bytes->size() < kTrailerEnd ||
      bytes->compare(bytes->size() - kTrailerEnd + 2, kTrailerEnd, kShapesFollow) != 0)
    return {};
  const auto byte = [&](size_t at) { return size_t{static_cast<uint8_t>((*bytes)[at])}; };
  const size_t end = bytes->size() - kTrailerEnd, length = std::min(end, byte(end) + 256 * byte(end + 1));
  std::istringstream text(bytes->substr(end - length, length));
  bytes->resize(end - length);
  InputShapes shapes;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    shapes.push_back({name, {}});
    for (int64_t dim; words >> dim;) shapes.back().second.push_back(dim);
  }
  return shapes;
}

ImportedTorch ImportTorch(const std::string& bytes, const frontend::ImportOptions& options) {
  KeepSeed("torchscript", WithInputShapes(bytes, options.input_shapes));
  ImportedTorch result;
  result.status = frontend::ImportModel(
      "model.pt", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
      frontend::SourceFormat::kTorchscript, options, &result.module, &result.diagnostics);
  return result;
}

std::map<std::string, Floats> RunTorch(const std::string& bytes, const InputShapes& shapes,
                                       const std::map<std::string, Floats>& inputs) {
  frontend::ImportOptions options;
  options.input_shapes = shapes;
  ImportedTorch imported = ImportTorch(bytes, options);
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  std::map<std::string, Floats> outputs;
  if (!imported.status.ok()) return outputs;
  const Status status = Evaluate(imported.module.entry(), inputs, &outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

}  // namespace micrort::testing
