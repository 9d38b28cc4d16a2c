#include "tools/info/describe.h"

#include <cstdio>
#include <unordered_map>

#include "kernels/base/dtype.h"
#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "runtime/model/operator_bodies.h"
#include "runtime/model/schema_text.h"
#include "runtime/model/size_rules.h"
#include "runtime/ops/kept_ring.h"
#include "tools/io/array.h"
#include "tools/io/printable.h"

namespace micrort {
namespace {

using Json = nlohmann::ordered_json;

// An object of any number of members: Json's own looks through all of them for each that is set.
class JsonObject {
 public:
  // A key that is there already keeps its place and takes the new value.
  void Set(const std::string& key, Json value) {
    const auto [at, is_new] = places_.emplace(key, static_cast<std::ptrdiff_t>(members_.size()));
    if (is_new) {
      members_.push_back({key, std::move(value)});
    } else {
      (members_.begin() + at->second)->second = std::move(value);
    }
  }
  Json Take() { return std::move(members_); }

 private:
  Json::object_t members_;
  std::unordered_map<std::string, std::ptrdiff_t> places_;
};

template <typename T>
std::vector<T> List(const flatbuffers::Vector<T>* v) {
  return v == nullptr ? std::vector<T>() : std::vector<T>(v->begin(), v->end());
}

// Halves and int4 as numbers.
Json DescribeQuantization(const schema::Quantization& q) {
  std::vector<float> scales = List(q.scales());
  std::vector<int32_t> zero_points = List(q.zero_points());
  for (uint32_t i = 0; i < Count(q.half_scales()); ++i)
    scales.push_back(HalfToFloat(q.half_scales()->Get(i)));
  for (size_t i = 0; q.int4_zero_points() != nullptr && i < scales.size(); ++i)
    zero_points.push_back(ReadInt4(q.int4_zero_points()->data(), static_cast<int64_t>(i)));
  return {{"scales", scales}, {"zero_points", zero_points}, {"axis", q.axis()}};
}

Json DescribeTensor(const schema::Model& model, const schema::Tensor& tensor, unsigned index) {
  Json json = {{"index", index},
               {"name", Text(tensor.name())},
               {"dtype", Name(static_cast<DType>(tensor.dtype()))},
               {"shape", List(tensor.shape())},
               {"constant_bytes", BytesOfBuffer(model, tensor.buffer()).size()}};
  if (tensor.packed_only()) json["packed_only"] = true;
  if (tensor.decides_shapes()) json["decides_shapes"] = true;
  if (tensor.dim_names() != nullptr) {
    Json names = Json::array();
    for (const auto* name : *tensor.dim_names()) names.push_back(Text(name));
    json["dim_names"] = names;
  }
  if (tensor.max_shape() != nullptr) json["max_shape"] = List(tensor.max_shape());
  if (const schema::Quantization* q = tensor.quantization(); q != nullptr && QuantizationOf(tensor).count > 0)
    json["quantization"] = DescribeQuantization(*q);
  return json;
}

Json DescribePacked(const schema::Model& model, const schema::Operator& op) {
  Json list = Json::array();
  for (const schema::PackedWeights* packed : *op.packed()) {
    list.push_back({{"layout", Text(packed->layout())},
                    {"slot", packed->slot()},
                    {"bytes", BytesOfBuffer(model, packed->buffer()).size()}});
  }
  return list;
}

Json DescribeOperator(const schema::Model& model, const schema::Operator& op) {
  Json json = {{"type", schema::EnumNameOpCode(op.code())},
               {"name", Text(op.name())},
               {"inputs", List(op.inputs())},
               {"outputs", List(op.outputs())}};
  if (const auto* custom = op.options_as_CustomOptions(); custom != nullptr) {
    json["custom"] = {{"domain", Text(custom->domain())}, {"name", Text(custom->name())}};
  }
  if (op.max_scratch() >= 0) json["max_scratch"] = op.max_scratch();
  if (op.packed() != nullptr) json["packed"] = DescribePacked(model, op);
  uint32_t bodies[kMaxBodies] = {};
  const int count = BodiesOf(op, bodies);
  if (count != 0) json["subgraphs"] = std::vector<uint32_t>(bodies, bodies + count);
  return json;
}

std::vector<int32_t> List(Span<const int32_t> v) { return {v.begin(), v.end()}; }

Json DescribeStates(const schema::Model& model, const schema::Subgraph& subgraph) {
  Json list = Json::array();
  const size_t first_input = CallerInputs(subgraph).size(), first_output = CallerOutputs(subgraph).size();
  for (unsigned k = 0; k < StateCount(subgraph); ++k) {
    const schema::State& state = *subgraph.states()->Get(k);
    const uint32_t initial = state.initial();
    const int32_t input = Ints(subgraph.inputs())[first_input + k];
    const bool is_cache = state.kind() == schema::StateKind::Cache;
    list.push_back({{"kind", schema::EnumNameStateKind(state.kind())},
                    {"window", is_cache ? RingOf(subgraph, input, 0).window : 0},
                    {"input", input},
                    {"output", Ints(subgraph.outputs())[first_output + k]},
                    {"initial_bytes", BytesOfBuffer(model, initial).size()}});
  }
  return list;
}

Json DescribeSubgraph(const schema::Model& model, const schema::Subgraph& subgraph) {
  Json tensors = Json::array(), operators = Json::array();
  for (unsigned i = 0; subgraph.tensors() != nullptr && i < subgraph.tensors()->size(); ++i) {
    tensors.push_back(DescribeTensor(model, *subgraph.tensors()->Get(i), i));
  }
  for (unsigned i = 0; subgraph.operators() != nullptr && i < subgraph.operators()->size(); ++i) {
    operators.push_back(DescribeOperator(model, *subgraph.operators()->Get(i)));
  }
  Json json = {{"name", Text(subgraph.name())},
               {"inputs", List(CallerInputs(subgraph))},
               {"outputs", List(CallerOutputs(subgraph))},
               {"states", DescribeStates(model, subgraph)},
               {"operators", operators},
               {"tensors", tensors}};
  for (uint32_t i = 0; i < Count(SizeRulesOf(subgraph)); ++i) {
    const schema::SizeRule& rule = *SizeRulesOf(subgraph)->Get(i);
    json["size_rules"].push_back({{"rule", Text(rule.text())}, {"node", Text(rule.node())}});
  }
  if (const schema::MemoryPlan* plan = subgraph.plan(); plan != nullptr) {
    json["stored_plan"] = {{"arena_bytes", plan->arena_bytes()}, {"lower_bound", plan->lower_bound()}};
  }
  return json;
}

std::string TensorText(const Json& tensor) {
  std::string text = "'" + tensor["name"].get<std::string>() + "' " + tensor["dtype"].get<std::string>() +
                     " " + io::ShapeText(tensor["shape"].get<std::vector<int64_t>>());
  if (tensor.contains("decides_shapes")) text += " decides shapes";
  if (tensor.contains("quantization")) {
    const Json& q = tensor["quantization"];
    char buffer[96];
    if (q["scales"].size() == 1) {
      const int zero_point = q["zero_points"].empty() ? 0 : q["zero_points"][0].get<int>();
      std::snprintf(buffer, sizeof buffer, " scale %g zero point %d", q["scales"][0].get<double>(),
                    zero_point);
    } else {
      std::snprintf(buffer, sizeof buffer, " %zu scales along axis %d", q["scales"].size(),
                    q["axis"].get<int>());
    }
    text += buffer;
  }
  if (tensor.contains("packed_only")) text += " constant, packed only";
  if (tensor["constant_bytes"].get<size_t>() > 0) {
    text += " constant, " + std::to_string(tensor["constant_bytes"].get<size_t>()) + " bytes";
  }
  return text;
}

void PrintTensors(const char* title, const Json& indices, const Json& tensors, std::FILE* out) {
  std::fprintf(out, "%s\n", title);
  for (const Json& index : indices) {
    const int i = index.get<int>();
    std::fprintf(out, "  %s\n", i < 0 ? "(absent)" : TensorText(tensors[static_cast<size_t>(i)]).c_str());
  }
}

void PrintStates(const Json& states, const Json& tensors, std::FILE* out) {
  if (!states.empty()) std::fprintf(out, "state, kept between runs\n");
  for (const Json& state : states) {
    const Json& next = tensors[state["output"].get<size_t>()];
    if (state["kind"] == "Cache") {
      const auto window = state["window"].get<int64_t>();
      const std::string ring = window == 0 ? "" : ", a ring for a window of " + std::to_string(window) + ",";
      std::fprintf(out, "  %s%s is appended to, and read as '%s'\n",
                   TensorText(tensors[state["input"].get<size_t>()]).c_str(), ring.c_str(),
                   next["name"].get<std::string>().c_str());
      continue;
    }
    const auto bytes = state["initial_bytes"].get<size_t>();
    std::fprintf(out, "  %s becomes '%s', %s at first\n",
                 TensorText(tensors[state["input"].get<size_t>()]).c_str(),
                 next["name"].get<std::string>().c_str(),
                 bytes == 0 ? "zero" : (std::to_string(bytes) + " bytes of the file").c_str());
  }
}

// No name here may have more than one line either.
std::string OneLine(const std::string& text) {
  std::string line;
  for (const char c : io::Printable(text)) line += c == '\n' ? std::string("\\x0a") : std::string(1, c);
  return line;
}

void PrintSizeRules(const Json& subgraph, std::FILE* out) {
  if (!subgraph.contains("size_rules")) return;
  std::fprintf(out, "sizes of inputs\n");
  for (const Json& rule : subgraph["size_rules"]) {
    std::fprintf(out, "  %s for %s\n", OneLine(rule["rule"]).c_str(), OneLine(rule["node"]).c_str());
  }
}

void PrintLargestSizes(const Json& tensors, std::FILE* out) {
  const char* title = "largest sizes of what data decide\n";
  for (const Json& tensor : tensors) {
    if (!tensor.contains("max_shape")) continue;
    std::vector<int64_t> sizes = tensor["shape"].get<std::vector<int64_t>>();
    const auto largest = tensor["max_shape"].get<std::vector<int64_t>>();
    for (size_t d = 0; d < sizes.size() && d < largest.size(); ++d) {
      if (largest[d] != 0) sizes[d] = largest[d];
    }
    std::fprintf(out, "%s  '%s' %s\n", title, OneLine(tensor["name"]).c_str(), io::ShapeText(sizes).c_str());
    title = "";
  }
}

std::string BodiesText(const Json& op) {
  if (!op.contains("subgraphs")) return "";
  std::string text = " runs";
  for (const Json& index : op["subgraphs"]) text += " subgraph " + std::to_string(index.get<unsigned>());
  return text;
}

std::string PackedText(const Json& op) {
  if (!op.contains("packed")) return "";
  std::string text;
  for (const Json& packed : op["packed"]) {
    text += " packed as " + packed["layout"].get<std::string>() + " in " +
            std::to_string(packed["bytes"].get<size_t>()) + " bytes";
  }
  return text;
}

std::string ScratchText(const Json& op) {
  if (!op.contains("max_scratch")) return "";
  return " in " + std::to_string(op["max_scratch"].get<int64_t>()) + " bytes of scratch at most";
}

std::string TypeText(const Json& op) {
  const std::string type = op["type"];
  if (!op.contains("custom")) return type;
  return type + " " +
         OneLine(op["custom"]["domain"].get<std::string>() + "." + op["custom"]["name"].get<std::string>());
}

void PrintSubgraph(const Json& subgraph, std::FILE* out) {
  const Json& tensors = subgraph["tensors"];
  PrintTensors("inputs", subgraph["inputs"], tensors, out);
  PrintTensors("outputs", subgraph["outputs"], tensors, out);
  PrintStates(subgraph["states"], tensors, out);
  PrintSizeRules(subgraph, out);
  PrintLargestSizes(subgraph["tensors"], out);
  std::fprintf(out, "operators\n");
  size_t position = 0;
  for (const Json& op : subgraph["operators"]) {
    std::fprintf(out, "  %zu %s %s%s%s%s\n", position++, TypeText(op).c_str(),
                 op["name"].get<std::string>().c_str(), BodiesText(op).c_str(), ScratchText(op).c_str(),
                 PackedText(op).c_str());
    for (const char* side : {"inputs", "outputs"}) {
      for (const Json& index : op[side]) {
        const int i = index.get<int>();
        std::fprintf(out, "      %s %s\n", side[0] == 'i' ? "<-" : "->",
                     i < 0 ? "(absent)" : TensorText(tensors[static_cast<size_t>(i)]).c_str());
      }
    }
  }
}

Json WithPrintableNames(const Json& json) {
  if (json.is_string()) return OneLine(json.get<std::string>());
  if (json.is_array()) {
    Json out = Json::array();
    for (const Json& element : json) out.push_back(WithPrintableNames(element));
    return out;
  }
  if (!json.is_object()) return json;
  JsonObject out;
  for (const auto& [key, value] : json.items()) out.Set(OneLine(key), WithPrintableNames(value));
  return out.Take();
}

}  // namespace

Json DescribeModel(const std::string& path, const Model& loaded) {
  const schema::Model& model = *schema::GetModel(loaded.file().data());
  JsonObject metadata;
  Json subgraphs = Json::array();
  if (model.metadata() != nullptr) {
    for (const schema::Metadata* entry : *model.metadata())
      metadata.Set(Text(entry->key()), Text(entry->value()));
  }
  for (const schema::Subgraph* subgraph : *model.subgraphs())
    subgraphs.push_back(DescribeSubgraph(model, *subgraph));
  return {{"model", path},
          {"schema_version", model.schema_version()},
          {"producer", Text(model.producer())},
          {"producer_version", Text(model.producer_version())},
          {"source_format", Text(model.source_format())},
          {"file_bytes", loaded.file_bytes()},
          {"weight_bytes", loaded.weight_bytes()},
          {"target", model.target() == nullptr ? "portable" : Text(model.target())},
          {"packed_bytes", loaded.packed_file_bytes()},
          {"metadata", metadata.Take()},
          {"subgraphs", subgraphs}};
}

void PrintModel(const Json& as_in_file, std::FILE* out) {
  const Json document = WithPrintableNames(as_in_file);
  const auto text = [&](const char* key) { return document[key].get<std::string>(); };
  std::fprintf(out, "model     %s, %zu bytes, of these %zu of weights\n", text("model").c_str(),
               document["file_bytes"].get<size_t>(), document["weight_bytes"].get<size_t>());
  std::fprintf(out, "made by   %s %s from %s, schema version %u\n", text("producer").c_str(),
               text("producer_version").c_str(), text("source_format").c_str(),
               document["schema_version"].get<unsigned>());
  if (document["packed_bytes"].get<size_t>() > 0) {
    std::fprintf(out, "target    %s, for which %zu bytes of weights are packed\n", text("target").c_str(),
                 document["packed_bytes"].get<size_t>());
  }
  for (const auto& [key, value] : document["metadata"].items()) {
    std::fprintf(out, "metadata  %s = %s\n", key.c_str(), value.get<std::string>().c_str());
  }
  size_t index = 0;
  for (const Json& subgraph : document["subgraphs"]) {
    if (index != 0)
      std::fprintf(out, "subgraph %zu '%s'\n", index, subgraph["name"].get<std::string>().c_str());
    PrintSubgraph(subgraph, out);
    ++index;
  }
}

}  // namespace micrort
