#include "converter/frontend/tensorflow/model_reader.h"

#include <google/protobuf/stubs/logging.h>

#include <climits>
#include <filesystem>
#include <string>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/tensorflow/signature.h"
#include "converter/frontend/tensorflow/text_message.h"
#include "converter/frontend/tensorflow/tf2xla.pb.h"
#include "tools/io/file.h"
#include "tools/io/wire_format.h"

namespace micrort::frontend::tensorflow {

namespace {

// tfcompile's configuration (--config): which tensors are fed and fetched.

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

// Reads the file, text or binary, and takes its feeds and fetches as the model's inputs and outputs; values
// of variables it feeds become inputs too. Errors name the file; kIo if it cannot be read.
Status ReadConfig(const std::string& path, TensorflowModel* out) {
  std::vector<uint8_t> bytes;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(path, &bytes, io::kMostText));
  return Read(bytes, out).WithPrefix("%s", path.c_str());
}

enum GraphField : uint32_t { kGraphNode = 1, kGraphLibrary = 2, kGraphVersion = 3, kGraphVersions = 4 };
enum NodeField : uint32_t { kNodeName = 1, kNodeOp = 2, kNodeAttr = 5 };
enum SavedModelField : uint32_t { kSchemaVersion = 1, kMetaGraphs = 2 };
enum MetaGraphField : uint32_t { kMetaGraphGraph = 2, kMetaGraphLast = 7 };

// Fields in the order of their numbers, a name and an operator first.
bool LooksLikeNode(Span<const uint8_t> bytes) {
  std::vector<io::WireField> fields;
  if (!io::ReadWireFields(bytes, 64, &fields) || fields.empty() || fields[0].number != kNodeName)
    return false;
  bool has_op = false;
  for (const io::WireField& field : fields) {
    if (field.number > 7 || (field.number <= kNodeAttr && field.type != 2)) return false;
    has_op |= field.number == kNodeOp;
  }
  return has_op;
}

bool HasGraph(Span<const uint8_t> meta_graph) {
  std::vector<io::WireField> fields;
  if (!io::ReadWireFields(meta_graph, 16, &fields)) return false;
  for (const io::WireField& field : fields) {
    if (field.number == kMetaGraphGraph) return LooksLikeGraph(field.bytes);
    if (field.number > kMetaGraphLast || field.type != 2) return false;
  }
  return false;
}

Status ParseGraph(Span<const uint8_t> bytes, ::tensorflow::GraphDef* graph) {
  if (LooksLikeGraphText(bytes)) return ParseText(bytes, graph);
  if (bytes.size() > INT_MAX || !graph->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return Invalid("the graph is broken or cut off; if it was downloaded or copied, do that again");
  return Status();
}

Result<::tensorflow::SavedModel> ParseSavedModel(Span<const uint8_t> bytes) {
  ::tensorflow::SavedModel saved;
  if (bytes.size() <= INT_MAX && saved.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return saved;
  return Invalid("the SavedModel is broken or cut off; if it was downloaded or copied, do that again");
}

Status ReadSavedModel(Span<const uint8_t> bytes, const ImportOptions& options, TensorflowModel* out) {
  MICRORT_ASSIGN_OR_RETURN(::tensorflow::SavedModel saved, ParseSavedModel(bytes));
  MICRORT_ASSIGN_OR_RETURN(::tensorflow::MetaGraphDef * meta_graph, ChooseMetaGraph(options.tag_set, &saved));
  MICRORT_RETURN_IF_ERROR(ReadSignature(options.signature, *meta_graph, out));
  out->graph.Swap(meta_graph->mutable_graph_def());
  if (!options.folder) return Status();
  const std::string prefix = *options.folder + (options.folder->empty() ? "" : "/") + "variables/variables";
  // Models without variables have no such folder; where one is missed, its reading says so.
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::u8path(prefix + ".index"), error)) return Status();
  MICRORT_RETURN_IF_ERROR(out->checkpoint.Open(prefix));
  out->checkpoint.TellApart(&out->graph);
  return Status();
}

}  // namespace

bool LooksLikeGraph(Span<const uint8_t> bytes) {
  std::vector<io::WireField> fields;
  if (!io::ReadWireFields(bytes, 8, &fields) || fields.empty()) return false;
  bool has_node = false;
  for (const io::WireField& field : fields) {
    if (field.number > kGraphVersions) return false;
    if (field.number != kGraphNode) continue;
    if (field.type != 2 || !LooksLikeNode(field.bytes)) return false;
    has_node = true;
  }
  return has_node;
}

bool LooksLikeSavedModel(Span<const uint8_t> bytes) {
  std::vector<io::WireField> fields;
  if (!io::ReadWireFields(bytes, 4, &fields)) return false;
  for (const io::WireField& field : fields) {
    if (field.number == kMetaGraphs) return field.type == 2 && HasGraph(field.bytes);
    if (field.number != kSchemaVersion) return false;
  }
  return false;
}

bool LooksLikeGraphText(Span<const uint8_t> bytes) {
  return TextBeginsWithMessage(bytes, {"node", "versions", "library"});
}

Status ReadModel(Span<const uint8_t> bytes, const ImportOptions& options, TensorflowModel* out) {
  // What protobuf has to say of a broken file, it would print.
  const google::protobuf::LogSilencer silencer;
  if (LooksLikeSavedModel(bytes)) {
    MICRORT_RETURN_IF_ERROR(ReadSavedModel(bytes, options, out));
  } else {
    if (!options.signature.empty() || !options.tag_set.empty())
      return MICRORT_ERROR(kInvalidArgument, "--signature and --tag-set: a GraphDef has neither");
    MICRORT_RETURN_IF_ERROR(ParseGraph(bytes, &out->graph));
  }
  if (out->graph.node().empty()) return Invalid("the graph has no nodes");
  return options.config.empty() ? Status() : ReadConfig(options.config, out);
}

Status ListSignatures(Span<const uint8_t> bytes, std::vector<SignaturePorts>* out) {
  const google::protobuf::LogSilencer silencer;
  MICRORT_ASSIGN_OR_RETURN(::tensorflow::SavedModel saved, ParseSavedModel(bytes));
  for (const auto& graph : saved.meta_graphs()) MICRORT_RETURN_IF_ERROR(AddSignatures(graph, out));
  return Status();
}

}  // namespace micrort::frontend::tensorflow
