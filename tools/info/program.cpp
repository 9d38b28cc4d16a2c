#include "tools/info/program.h"

#include <cstdio>
#include <string>

#include "runtime/interpreter/inspect.h"
#include "tools/io/printable.h"

namespace micrort {
namespace {

using ProgramJson = nlohmann::ordered_json;

class ProgramDescription {
 public:
  // Places count from the start of the interpreter's arena, where the entry's own begins at `base`.
  ProgramDescription(const Subgraph& entry, size_t base)
      : entry_(entry), program_(entry.program()), base_(base) {}

  ProgramJson Steps() const {
    ProgramJson steps = ProgramJson::array();
    for (const Step& step : program_.steps) {
      if (!step.removed) steps.push_back(StepToJson(step));
    }
    return steps;
  }

 private:
  static const char* CallName(CallKind kind) {
    switch (kind) {
      case CallKind::kOperator:
        return "operator";
      case CallKind::kConv:
        return "conv";
      case CallKind::kConvStripes:
        return "conv_stripes";
      case CallKind::kElementwise:
        return "elementwise";
    }
    return "";
  }

  ProgramJson StepToJson(const Step& step) const {
    ProgramJson sources = ProgramJson::array();
    for (int32_t n = step.node; n < step.node_end; ++n) {
      const Node& node = entry_.graph().nodes[static_cast<size_t>(n)];
      sources.push_back({{"op", node.registration->name},
                         {"node", Text(node.source->name())},
                         {"algorithm", node.prepared.algorithm}});
    }
    ProgramJson json = {{"call", CallName(step.call)},
                        {"sources", sources},
                        {"inputs", ViewsToJson(step.inputs)},
                        {"outputs", ViewsToJson(step.outputs)},
                        {"scratch_bytes", step.scratch_bytes}};
    if (step.scratch_bytes != 0) {
      const size_t item = program_.buffers.size() + static_cast<size_t>(step.node);
      json["scratch_offset"] = base_ + entry_.memory().offsets[item];
    }
    return json;
  }

  ProgramJson ViewsToJson(Span<const int32_t> views) const {
    ProgramJson list = ProgramJson::array();
    for (const int32_t v : views) list.push_back(v < 0 ? ProgramJson() : ViewToJson(v));
    return list;
  }

  ProgramJson ViewToJson(int32_t index) const {
    const View& view = program_.view(index);
    ProgramJson json = {{"tensor", entry_.graph().tensors[static_cast<size_t>(index)].name},
                        {"dtype", Name(view.dtype)},
                        {"shape", std::string(ShapeString(view.shape).c_str())}};
    if (!program_.buffer_of(index).in_arena) return json;
    json["offset"] = base_ + entry_.memory().offsets[static_cast<size_t>(view.buffer)] + view.offset;
    if (!IsWhole(view)) {
      json["strides"] = std::vector<int64_t>(view.strides, view.strides + view.shape.rank);
    }
    return json;
  }

  const Subgraph& entry_;
  const Program& program_;
  const size_t base_;
};

std::string ViewText(const ProgramJson& view) {
  if (view.is_null()) return "-";
  std::string text = view["tensor"].get<std::string>() + " " + view["shape"].get<std::string>();
  if (view.contains("offset")) text += " @" + std::to_string(view["offset"].get<size_t>());
  if (view.contains("strides")) text += " strides " + view["strides"].dump();
  return text;
}

std::string ViewsText(const ProgramJson& views) {
  std::string text;
  for (const ProgramJson& view : views) text += (text.empty() ? "" : ", ") + ViewText(view);
  return text;
}

}  // namespace

ProgramJson DescribeProgram(const Interpreter& interpreter) {
  const Subgraph& entry = EntryOf(interpreter);
  const size_t base = interpreter.arena_bytes() - entry.memory().layout.arena_bytes;
  return {{"decided", entry.is_decided() ? "in the file" : "here"},
          {"isa", IsaName(interpreter.features())},
          {"arena_bytes", interpreter.arena_bytes()},
          {"steps", ProgramDescription(entry, base).Steps()}};
}

void PrintProgram(const ProgramJson& program, std::FILE* out) {
  std::fprintf(out, "program   %zu steps for %s, decided %s, in %zu bytes\n", program["steps"].size(),
               program["isa"].get<std::string>().c_str(), program["decided"].get<std::string>().c_str(),
               program["arena_bytes"].get<size_t>());
  int index = 0;
  for (const ProgramJson& step : program["steps"]) {
    std::fprintf(out, "%4d %s\n", index++, step["call"].get<std::string>().c_str());
    for (const ProgramJson& source : step["sources"]) {
      std::fprintf(out, "       %s '%s' %s\n", source["op"].get<std::string>().c_str(),
                   io::Printable(source["node"].get<std::string>()).c_str(),
                   source["algorithm"].get<std::string>().c_str());
    }
    std::fprintf(out, "     < %s\n     > %s\n", io::Printable(ViewsText(step["inputs"])).c_str(),
                 io::Printable(ViewsText(step["outputs"])).c_str());
    if (!step.contains("scratch_offset")) continue;
    std::fprintf(out, "     scratch %zu bytes @%zu\n", step["scratch_bytes"].get<size_t>(),
                 step["scratch_offset"].get<size_t>());
  }
}

}  // namespace micrort
