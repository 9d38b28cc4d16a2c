#include "converter/frontend/tensorflow/tf2xla_config.h"

#include <climits>

#include "converter/frontend/tensorflow/text_message.h"
#include "converter/frontend/tensorflow/tf2xla.pb.h"
#include "tools/io/file.h"

namespace micrort::frontend::tensorflow {

namespace {

std::string TensorOf(const ::tensorflow::tf2xla::TensorId& id) {
  return id.output_index() == 0 ? id.node_name() : id.node_name() + ":" + std::to_string(id.output_index());
}

Status Read(const std::vector<uint8_t>& bytes, TensorflowModel* out) {
  ::tensorflow::tf2xla::Config config;
  if (TextBeginsWithMessage(bytes, {"feed", "fetch", "variable", "conversion_options"})) {
    MICRORT_RETURN_IF_ERROR(ParseText(bytes, &config));
  } else if (bytes.size() > INT_MAX || !config.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return MICRORT_ERROR(kInvalidArgument, "expected a tf2xla.Config, as text or binary");
  }
  if (config.fetch().empty()) return MICRORT_ERROR(kInvalidArgument, "it fetches nothing");
  out->inputs.clear();
  out->outputs.clear();
  for (const auto& feed : config.feed()) {
    Port port = {
        feed.name().empty() ? TensorOf(feed.id()) : feed.name(), TensorOf(feed.id()), {}, feed.type()};
    if (feed.has_shape()) port.shape = feed.shape();
    out->inputs.push_back(std::move(port));
  }
  for (const auto& variable : config.variable()) {
    const std::string& name = variable.name().empty() ? variable.node_name() : variable.name();
    Port port = {name, variable.node_name(), {}, variable.type()};
    if (variable.has_shape()) port.shape = variable.shape();
    out->inputs.push_back(std::move(port));
  }
  for (const auto& fetch : config.fetch()) {
    out->outputs.push_back(
        {fetch.name().empty() ? TensorOf(fetch.id()) : fetch.name(), TensorOf(fetch.id()), {}, fetch.type()});
  }
  return Status();
}

}  // namespace

Status ReadConfig(const std::string& path, TensorflowModel* out) {
  std::vector<uint8_t> bytes;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(path, &bytes));
  return Read(bytes, out).WithPrefix("%s", path.c_str());
}

}  // namespace micrort::frontend::tensorflow
