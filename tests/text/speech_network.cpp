#include "tests/text/speech_network.h"

#include <cmath>
#include <cstdio>
#include <set>

#include "tests/support/random.h"

namespace micrort::test {

using nlohmann::json;
using testing::OnnxBuilder;

SpeechNetwork::SpeechNetwork(uint32_t seed, int width) : width_(width) {
  testing::Random random(seed);
  const auto add = [&](const std::string& name, const std::vector<int64_t>& dims, double scale) {
    Weights& weights = weights_[name];
    weights.dims = dims;
    size_t count = 1;
    for (const int64_t dim : dims) count *= static_cast<size_t>(dim);
    weights.values.resize(count);
    random.Fill(weights.values, -scale, scale);
  };
  const int64_t w = width_;
  const auto add_linear = [&](const std::string& name, int64_t from, int64_t to) {
    add(name, {from, to}, 1.7 / std::sqrt(static_cast<double>(from)));
    add(name + ".b", {to}, 0.2);
  };
  add("conv1", {w, kBands, 3}, 0.12), add("conv1.b", {w}, 0.2);
  add("conv2", {w, w, 3}, 0.4), add("conv2.b", {w}, 0.2);
  add("positions", {kContext, w}, 0.5);
  for (const char* name : {"e.q", "e.k", "e.v", "e.o"}) add_linear(name, w, w);
  for (const std::string norm : {"e.n1", "e.n2", "n"}) add(norm, {w}, 1.5), add(norm + ".b", {w}, 0.3);
  add("tokens", {kVocabulary, w}, 1.5);
  add("places", {kPositions, w}, 1.0);
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string l = std::to_string(layer);
    for (const char* name : {".q", ".k", ".v", ".o", ".cq", ".ck", ".cv", ".co"}) add_linear(l + name, w, w);
    add_linear(l + ".f1", w, kInner), add_linear(l + ".f2", kInner, w);
    for (const char* norm : {".n1", ".n2", ".n3"}) add(l + norm, {w}, 1.5), add(l + norm + ".b", {w}, 0.3);
  }
  add_linear("head", w, kVocabulary);
}

json SpeechNetwork::Tokenizer(bool names_times) {
  json vocabulary = json::object();
  for (int i = 0; i < 26; ++i) vocabulary[std::string(1, static_cast<char>('a' + i))] = i;
  vocabulary[" "] = 26;
  json added = json::array();
  const auto add = [&added](int id, const std::string& name, bool is_special) {
    added.push_back({{"id", id}, {"content", name}, {"special", is_special}});
  };
  const char* kNames[] = {"<|endoftext|>",   "<|startoftranscript|>", "<|en|>",
                          "<|de|>",          "<|translate|>",         "<|transcribe|>",
                          "<|startofprev|>", "<|nospeech|>",          "<|notimestamps|>"};
  for (int i = 0; i < kSpecial; ++i) add(kLetters + i, kNames[i], true);
  for (int i = 0; names_times && i < kTimes; ++i) {
    char name[16];
    std::snprintf(name, sizeof name, "<|%.2f|>", i * 0.02);
    add(kTime0 + i, name, false);
  }
  return {{"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", json::array()}}},
          {"decoder", {{"type", "Fuse"}}},
          {"added_tokens", added}};
}

// Nodes of the network, each with the name of its output.
class SpeechGraph {
 public:
  explicit SpeechGraph(const SpeechNetwork& network) : network_(network), b_(17) {
    b_.Floats("half", {}, {0.5f}).Floats("one", {}, {1.0f}).Floats("root2", {}, {std::sqrt(2.0f)});
    b_.Floats("scale", {}, {1 / std::sqrt(static_cast<float>(head()))});
    b_.Integers("to_heads", {4}, {0, 0, SpeechNetwork::kHeads, head()});
    b_.Integers("from_heads", {3}, {0, 0, network.width_});
  }

  OnnxBuilder Take() { return b_; }
  OnnxBuilder& builder() { return b_; }

  std::string Op(const std::string& op, const std::vector<std::string>& inputs,
                 const std::string& name = "") {
    const std::string out = name.empty() ? "t" + std::to_string(next_++) : name;
    b_.Node(op, inputs, {out});
    return out;
  }
  std::string Weight(const std::string& name) {
    if (used_.insert(name).second) b_.Floats(name, network_.Get(name).dims, network_.Get(name).values);
    return name;
  }
  std::string Linear(const std::string& x, const std::string& name, const std::string& out = "") {
    return Op("Add", {Op("MatMul", {x, Weight(name)}), Weight(name + ".b")}, out);
  }
  std::string Norm(const std::string& x, const std::string& name, const std::string& out = "") {
    const std::string y = Op("LayerNormalization", {x, Weight(name), Weight(name + ".b")}, out);
    b_.Int("axis", -1);
    return y;
  }
  std::string Gelu(const std::string& x) {
    const std::string erf = Op("Add", {Op("Erf", {Op("Div", {x, "root2"})}), "one"});
    return Op("Mul", {Op("Mul", {x, erf}), "half"});
  }
  std::string Heads(const std::string& x, const std::string& out = "") {
    const std::string y = Op("Transpose", {Op("Reshape", {x, "to_heads"})}, out);
    b_.Ints("perm", {0, 2, 1, 3});
    return y;
  }
  // Keys are [1, heads, rows, width of a head].
  std::string Attend(const std::string& q, const std::string& k, const std::string& v,
                     const std::string& mask) {
    const std::string turned = Op("Transpose", {k});
    b_.Ints("perm", {0, 1, 3, 2});
    std::string scores = Op("MatMul", {Op("Mul", {q, "scale"}), turned});
    if (!mask.empty()) scores = Op("Add", {scores, mask});
    const std::string weights = Op("Softmax", {scores});
    b_.Int("axis", -1);
    const std::string rows = Op("Transpose", {Op("MatMul", {weights, v})});
    b_.Ints("perm", {0, 2, 1, 3});
    return Op("Reshape", {rows, "from_heads"});
  }

  // The states, of the input `features`.
  std::string Encoder(const std::string& features, const std::string& out) {
    std::string x = Op("Conv", {features, Weight("conv1"), Weight("conv1.b")});
    b_.Ints("pads", {1, 1});
    x = Op("Conv", {Gelu(x), Weight("conv2"), Weight("conv2.b")});
    b_.Ints("pads", {1, 1}).Ints("strides", {2});
    x = Op("Transpose", {Gelu(x)});
    b_.Ints("perm", {0, 2, 1});
    x = Op("Add", {x, Weight("positions")});
    const std::string y = Norm(x, "e.n1");
    const std::string seen =
        Attend(Heads(Linear(y, "e.q")), Heads(Linear(y, "e.k")), Heads(Linear(y, "e.v")), "");
    return Norm(Op("Add", {x, Linear(seen, "e.o")}), "e.n2", out);
  }

  // `past`, `present`, `cross`: names of a layer's keys and values; "" where there are none.
  struct Names {
    std::vector<std::string> past, present, cross, cross_present;
  };
  void Decoder(const std::string& ids, const std::string& states, const std::vector<Names>& layers,
               bool has_positions) {
    const std::string past = layers[0].past.empty() ? "" : layers[0].past[0];
    const std::string positions = Positions(ids, past, has_positions);
    std::string x =
        Op("Add", {Op("Gather", {Weight("tokens"), ids}), Op("Gather", {Weight("places"), positions})});
    const std::string mask = Mask(positions);
    for (size_t i = 0; i < layers.size(); ++i) x = Layer(x, std::to_string(i), states, mask, layers[i]);
    Linear(Norm(x, "n"), "head", "logits");
    b_.Output("logits");
    for (const Names& names : layers)
      for (const auto* list : {&names.present, &names.cross_present})
        for (const std::string& name : *list) b_.Output(name);
  }

 private:
  int64_t head() const { return network_.width_ / SpeechNetwork::kHeads; }

  // Those of the new tokens.
  std::string Positions(const std::string& ids, const std::string& past, bool has_positions) {
    b_.Integers("zero", {}, {0})
        .Integers("dim1", {}, {1})
        .Integers("dim2", {}, {2})
        .Integers("step", {}, {1});
    const std::string count = Op("Gather", {Op("Shape", {ids}), "dim1"});
    const std::string before = past.empty() ? "zero" : Op("Gather", {Op("Shape", {past}), "dim2"});
    total_ = Op("Add", {before, count});
    if (has_positions) return "cache_position";
    return Op("Range", {before, total_, "step"});
  }
  std::string Mask(const std::string& positions) {
    b_.Integers("axis1", {1}, {1});
    b_.Floats("seen", {}, {0.0f}).Floats("hidden", {}, {-3.4028235e38f});
    const std::string rows = Op("Unsqueeze", {positions, "axis1"});
    return Op("Where", {Op("LessOrEqual", {Op("Range", {"zero", total_, "step"}), rows}), "seen", "hidden"});
  }
  std::string Layer(std::string x, const std::string& l, const std::string& states, const std::string& mask,
                    const Names& names) {
    const std::string y = Norm(x, l + ".n1");
    std::vector<std::string> own;
    for (const size_t i : {0, 1}) {
      const std::string rows = Linear(y, l + (i == 0 ? ".k" : ".v"));
      const std::string present = names.present.empty() ? "" : names.present[i];
      if (names.past.empty()) {
        own.push_back(Heads(rows, present));
        continue;
      }
      own.push_back(Op("Concat", {names.past[i], Heads(rows)}, present));
      b_.Int("axis", 2);
    }
    x = Op("Add", {x, Linear(Attend(Heads(Linear(y, l + ".q")), own[0], own[1], mask), l + ".o")});
    std::vector<std::string> cross = names.cross;
    if (cross.empty()) cross = Cross(states, l, names.cross_present);
    const std::string q = Heads(Linear(Norm(x, l + ".n3"), l + ".cq"));
    x = Op("Add", {x, Linear(Attend(q, cross[0], cross[1], ""), l + ".co")});
    return Op("Add", {x, Linear(Gelu(Linear(Norm(x, l + ".n2"), l + ".f1")), l + ".f2")});
  }

 public:
  std::vector<std::string> Cross(const std::string& states, const std::string& l,
                                 const std::vector<std::string>& out) {
    return {Heads(Linear(states, l + ".ck"), out.empty() ? "" : out[0]),
            Heads(Linear(states, l + ".cv"), out.empty() ? "" : out[1])};
  }

 private:
  const SpeechNetwork& network_;
  OnnxBuilder b_;
  int next_ = 0;
  std::set<std::string> used_;
  std::string total_;
};

namespace {

std::vector<std::string> KeyAndValue(const std::string& before, const std::string& after) {
  return {before + "key" + after, before + "value" + after};
}

}  // namespace

OnnxBuilder SpeechNetwork::Encoder(bool has_cross) const {
  SpeechGraph graph(*this);
  graph.builder().Input("input_features", {"batch", std::to_string(kBands), std::to_string(kFrames)});
  const std::string states = graph.Encoder("input_features", "last_hidden_state");
  graph.builder().Output(states);
  for (int i = 0; has_cross && i < kLayers; ++i) {
    const std::vector<std::string> names = KeyAndValue("present_", "_cross_" + std::to_string(i));
    graph.Cross(states, std::to_string(i), names);
    for (const std::string& name : names) graph.builder().Output(name);
  }
  return graph.Take();
}

OnnxBuilder SpeechNetwork::Decoder(Form form) const {
  SpeechGraph graph(*this);
  OnnxBuilder& b = graph.builder();
  const std::string heads = std::to_string(kHeads), head = std::to_string(width_ / kHeads);
  const std::string context = std::to_string(kContext);
  const std::string ids = form == Form::kWhole ? "decoder_input_ids" : "input_ids";
  b.Input(ids, {"batch", "tokens"}, ::onnx::TensorProto::INT64);
  std::vector<SpeechGraph::Names> layers;
  for (int i = 0; i < kLayers; ++i) {
    const std::string n = std::to_string(i), dot = n + ".";
    SpeechGraph::Names names;
    if (form == Form::kSelfAndCross) {
      names.past = KeyAndValue("past_", "_self_" + n), names.present = KeyAndValue("present_", "_self_" + n);
      names.cross = KeyAndValue("past_", "_cross_" + n);
    } else if (form == Form::kWithPast) {
      names.past = KeyAndValue("past_key_values." + dot + "decoder.", "");
      names.present = KeyAndValue("present." + dot + "decoder.", "");
      names.cross = KeyAndValue("past_key_values." + dot + "encoder.", "");
    } else if (form == Form::kNoPast) {
      names.present = KeyAndValue("present." + dot + "decoder.", "");
      names.cross_present = KeyAndValue("present." + dot + "encoder.", "");
    }
    for (const std::string& name : names.past) b.Input(name, {"batch", heads, "past", head});
    for (const std::string& name : names.cross) b.Input(name, {"batch", heads, context, head});
    layers.push_back(names);
  }
  std::string states = "encoder_hidden_states";
  if (form == Form::kNoPast) b.Input(states, {"batch", context, std::to_string(width_)});
  if (form == Form::kWhole) {
    b.Input("input_features", {"batch", std::to_string(kBands), std::to_string(kFrames)});
    states = graph.Encoder("input_features", "states");
  }
  if (form == Form::kWithPast) b.Input("cache_position", {"tokens"}, ::onnx::TensorProto::INT64);
  graph.Decoder(ids, states, layers, form == Form::kWithPast);
  return graph.Take();
}

}  // namespace micrort::test
