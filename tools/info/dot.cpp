#include "tools/info/dot.h"

#include <map>
#include <vector>

#include "tools/io/array.h"
#include "tools/io/printable.h"

namespace micrort {
namespace {

using Json = nlohmann::ordered_json;

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : io::Printable(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "\"";
}

class SubgraphWriter {
 public:
  SubgraphWriter(const Json& subgraph, size_t index) : subgraph_(subgraph), index_(index) {}

  std::string Write() {
    text_ = "  subgraph " + Quoted("cluster" + std::to_string(index_)) +
            " {\n    label=" + Quoted(subgraph_["name"].get<std::string>()) + ";\n";
    WriteEnds("inputs");
    const Json& operators = subgraph_["operators"];
    for (size_t i = 0; i < operators.size(); ++i) WriteOperator(operators[i], i);
    WriteEnds("outputs");
    return text_ + "  }\n";
  }

 private:
  std::string Id(const std::string& kind, size_t i) const {
    return Quoted(kind + std::to_string(index_) + "_" + std::to_string(i));
  }

  void WriteEnds(const char* side) {
    const bool are_inputs = side[0] == 'i';
    for (size_t i = 0; i < subgraph_[side].size(); ++i) {
      const int tensor = subgraph_[side][i].get<int>();
      text_ += "    " + Id(side, i) +
               " [shape=ellipse, label=" + Quoted(Tensor(tensor)["name"].get<std::string>()) + "];\n";
      if (are_inputs) {
        writer_[tensor] = Id(side, i);
      } else {
        WriteEdge(tensor, Id(side, i));
      }
    }
  }

  void WriteOperator(const Json& op, size_t i) {
    text_ += "    " + Id("op", i) + " [shape=box, label=" +
             Quoted(op["type"].get<std::string>() + " " + op["name"].get<std::string>()) + "];\n";
    for (const Json& input : op["inputs"]) WriteEdge(input.get<int>(), Id("op", i));
    for (const Json& output : op["outputs"]) writer_[output.get<int>()] = Id("op", i);
  }

  void WriteEdge(int tensor, const std::string& reader) {
    const auto writer = writer_.find(tensor);
    if (tensor < 0 || writer == writer_.end()) return;
    text_ += "    " + writer->second + " -> " + reader + " [label=" +
             Quoted(Tensor(tensor)["dtype"].get<std::string>() + " " +
                    io::ShapeText(Tensor(tensor)["shape"].get<std::vector<int64_t>>())) +
             "];\n";
  }

  const Json& Tensor(int index) const { return subgraph_["tensors"][static_cast<size_t>(index)]; }

  const Json& subgraph_;
  const size_t index_;
  std::map<int, std::string> writer_;  // by tensor
  std::string text_;
};

}  // namespace

std::string ToDot(const Json& document) {
  std::string text = "digraph model {\n  label=" + Quoted(document["model"].get<std::string>()) + ";\n";
  for (size_t i = 0; i < document["subgraphs"].size(); ++i)
    text += SubgraphWriter(document["subgraphs"][i], i).Write();
  return text + "}\n";
}

}  // namespace micrort
