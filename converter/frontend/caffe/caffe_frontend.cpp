#include "converter/frontend/caffe/caffe_frontend.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/caffe/model_reader.h"
#include "converter/frontend/caffe/net_inputs.h"
#include "converter/frontend/caffe/registry.h"
#include "converter/frontend/caffe/weights.h"
#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/fetches.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/common/model_inputs.h"
#include "converter/frontend/common/named_values.h"
#include "converter/frontend/frontend.h"

namespace micrort::frontend::caffe {

namespace {

using ::caffe::LayerParameter;

// A Caffe network into a graph. Layers are imported in order; one that cannot be is noted and its tops are
// marked, so that all such layers are found.

class NetImporter {
 public:
  NetImporter(const CaffeNet& net, NetWeights& weights, const ImportOptions& options, ir::Graph* graph,
              ImportDiagnostics* diagnostics)
      : net_(net), weights_(weights), options_(options), assembler_(graph), diagnostics_(diagnostics) {}

  Status Import();

 private:
  Status SelectLayers();
  Status KeepFetched();
  Status AddInputs();
  Status AddLayer(const TestLayer& test);
  void NoteMissingWeights(const ::caffe::LayerParameter& layer, const Status& status);
  Status FindBottoms(const ::caffe::LayerParameter& layer, std::vector<ir::ValueId>* bottoms,
                     bool* reachable);
  Status ImportLayer(const TestLayer& test, const std::vector<ir::ValueId>& bottoms);
  Status DefineTops(const ::caffe::LayerParameter& layer, const LayerContext& c, ir::ValueId first_new);
  // Tops that no layer reads, in the order in which they are made.
  std::vector<std::string> UnreadTops() const;
  Status AddOutputs();

  const CaffeNet& net_;
  NetWeights& weights_;
  const ImportOptions& options_;
  GraphAssembler assembler_;
  ImportDiagnostics* diagnostics_;
  std::vector<TestLayer> layers_;           // those that are imported
  std::vector<TestLayer> data_layers_;      // those that make inputs
  std::map<std::string, int> definitions_;  // by name: how many layers are still to write it
  NamedValues values_;
  Status missing_weights_;  // the first such error, which unsupported layers go before
};

SourceNode NodeOf(const LayerParameter& layer) {
  const std::string& name = layer.name();
  return {name.empty() && layer.top_size() > 0 ? layer.top(0) : name, layer.type(), 0};
}

Status CheckBottoms(const LayerImporter& importer, const LayerContext& c) {
  const auto count = static_cast<int>(c.bottom_count());
  if (importer.CheckCount(c.bottom_count()).ok()) return Status();
  if (importer.max_inputs < 0)
    return Invalid("expected at least {} bottoms, found {}", importer.min_inputs, count);
  return Invalid("expected {} to {} bottoms, found {}", importer.min_inputs, importer.max_inputs, count);
}

Status CheckTops(const LayerContext& c) {
  for (size_t i = 0; i < c.top_count(); ++i) {
    if (c.tops()[i] == ir::kNoValue) return Unsupported("top {} is not supported", i);
  }
  return Status();
}

Status NetImporter::Import() {
  assembler_.graph().name = net_.proto.name();
  MICRORT_RETURN_IF_ERROR(SelectLayers());
  MICRORT_RETURN_IF_ERROR(AddInputs());
  MICRORT_RETURN_IF_ERROR(KeepFetched());
  assembler_.StartNodes();
  for (const TestLayer& test : layers_) {
    for (const std::string& top : test.layer->top()) ++definitions_[top];
  }
  for (const TestLayer& test : layers_) {
    if (Status s = AddLayer(test); !s.ok()) return s.WithPrefix("%s", Describe(NodeOf(*test.layer)).c_str());
  }
  MICRORT_RETURN_IF_ERROR(AddOutputs());
  assembler_.Finish();
  if (!diagnostics_->unsupported.empty()) return UnsupportedNodes(*diagnostics_);
  return missing_weights_;
}

Status NetImporter::SelectLayers() {
  std::vector<TestLayer> all;
  MICRORT_RETURN_IF_ERROR(TestLayers(net_, &all));
  for (TestLayer& test : all) {
    weights_.Share(*test.layer);
    if (IsForTraining(test.layer->type())) continue;
    (ReadsData(test.layer->type()) ? data_layers_ : layers_).push_back(std::move(test));
  }
  return Status();
}

Status NetImporter::KeepFetched() {
  if (options_.outputs.empty()) return Status();
  std::set<std::string> defined;
  std::vector<NodeEdges> edges;
  for (const ir::ValueId id : assembler_.graph().inputs) defined.insert(assembler_.graph().value(id).name);
  for (const TestLayer& test : layers_) {
    const LayerParameter& layer = *test.layer;
    edges.push_back(
        {{layer.bottom().begin(), layer.bottom().end()}, {layer.top().begin(), layer.top().end()}});
    defined.insert(layer.top().begin(), layer.top().end());
  }
  MICRORT_RETURN_IF_ERROR(CheckFetches(options_.outputs, defined));
  const std::vector<bool> needed = NeededNodes(edges, options_.outputs);
  std::vector<TestLayer> kept;
  for (size_t i = 0; i < layers_.size(); ++i) {
    if (needed[i]) kept.push_back(std::move(layers_[i]));
  }
  layers_ = std::move(kept);
  return Status();
}

Status NetImporter::AddInputs() {
  std::set<std::string> read;
  for (const TestLayer& test : layers_) read.insert(test.layer->bottom().begin(), test.layer->bottom().end());
  std::vector<NetInput> inputs;
  MICRORT_RETURN_IF_ERROR(FindNetInputs(net_.proto, data_layers_, read, &inputs));
  ModelInputs added(options_, &assembler_.graph(), diagnostics_);
  for (const NetInput& input : inputs) {
    ir::Value value;
    value.name = input.name;
    value.in_source = true;
    value.dtype = DType::kFloat32;
    value.has_shape = input.has_shape;
    value.shape = input.shape;
    Result<ir::ValueId> id = added.Add(std::move(value));
    if (!id.ok()) return id.status().WithPrefix("input '%s'", input.name.c_str());
    MICRORT_RETURN_IF_ERROR(values_.Define(input.name, *id));
  }
  return added.CheckOptions();
}

Status NetImporter::AddLayer(const TestLayer& test) {
  const LayerParameter& layer = *test.layer;
  for (const std::string& top : layer.top()) --definitions_[top];
  std::vector<ir::ValueId> bottoms;
  bool reachable = true;
  MICRORT_RETURN_IF_ERROR(FindBottoms(layer, &bottoms, &reachable));
  Status status;
  if (Importers().Find(layer.type()) == nullptr) {
    status = Unsupported(WhyNoLayerImporter(layer.type()));
  } else if (reachable) {
    status = ImportLayer(test, bottoms);
    if (status.ok()) return Status();
  }
  if (status.code() == StatusCode::kUnsupported)
    MICRORT_RETURN_IF_ERROR(NoteUnsupported(NodeOf(layer), status.message(), diagnostics_));
  if (status.code() == StatusCode::kInvalidArgument) NoteMissingWeights(layer, status);
  const bool goes_on = status.ok() || status.code() == StatusCode::kUnsupported ||
                       status.code() == StatusCode::kInvalidArgument;
  if (!goes_on) return status;
  for (const std::string& top : layer.top()) values_.MarkUnreachable(top);
  return Status();
}

void NetImporter::NoteMissingWeights(const LayerParameter& layer, const Status& status) {
  if (!missing_weights_.ok()) return;
  const Status not_there =
      options_.weights ? Invalid("{} has no weights for it", options_.weights->path) : status;
  missing_weights_ = not_there.WithPrefix("%s", Describe(NodeOf(layer)).c_str());
}

Status NetImporter::FindBottoms(const LayerParameter& layer, std::vector<ir::ValueId>* bottoms,
                                bool* reachable) {
  for (const std::string& name : layer.bottom()) {
    bottoms->push_back(values_.Find(name));
    if (values_.IsUnreachable(name)) {
      *reachable = false;
    } else if (bottoms->back() == ir::kNoValue) {
      return Invalid("its bottom '{}' is no input and no top of a layer before it{}", name,
                     net_.is_text
                         ? ""
                         : "; a .caffemodel often lacks the network's input: give the .prototxt as the "
                           "model, and this file with --weights");
    }
  }
  return Status();
}

Status NetImporter::ImportLayer(const TestLayer& test, const std::vector<ir::ValueId>& bottoms) {
  const LayerParameter& layer = *test.layer;
  if (!test.unknown_field.empty()) return Unsupported("field '{}' is not known", test.unknown_field);
  const ir::ValueId first_new = assembler_.NextValue();
  const SourceNode node = NodeOf(layer);
  ir::Builder builder = assembler_.BuilderFor({node.name, node.op, 0}, node.name);
  LayerContext c(layer, weights_.Find(layer), builder, bottoms);
  const LayerImporter& importer = *Importers().Find(layer.type());
  MICRORT_RETURN_IF_ERROR(CheckBottoms(importer, c));
  const Status imported = importer.import(c);
  MICRORT_RETURN_IF_ERROR(builder.status());
  MICRORT_RETURN_IF_ERROR(imported);
  MICRORT_RETURN_IF_ERROR(CheckTops(c));
  MICRORT_RETURN_IF_ERROR(c.CheckAllRead());
  return DefineTops(layer, c, first_new);
}

// A layer may write to what it reads. The last value of a name has that name, earlier ones also that of their
// layer.
Status NetImporter::DefineTops(const LayerParameter& layer, const LayerContext& c, ir::ValueId first_new) {
  const std::set<std::string> read(layer.bottom().begin(), layer.bottom().end());
  for (int i = 0; i < layer.top_size(); ++i) {
    const std::string& top = layer.top(i);
    const ir::ValueId id = c.tops()[static_cast<size_t>(i)];
    const bool is_last = definitions_[top] == 0;
    assembler_.NameResult(is_last ? top : top + "/" + layer.name(), id, first_new);
    if (read.count(top) != 0) {
      values_.Assign(top, id);
    } else {
      MICRORT_RETURN_IF_ERROR(values_.Define(top, id));
    }
  }
  return Status();
}

std::vector<std::string> NetImporter::UnreadTops() const {
  std::vector<std::string> unread;
  std::set<std::string> read;  // by later layers
  for (auto test = layers_.rbegin(); test != layers_.rend(); ++test) {
    const LayerParameter& layer = *test->layer;
    for (auto top = layer.top().rbegin(); top != layer.top().rend(); ++top) {
      if (read.count(*top) == 0) unread.push_back(*top);
    }
    read.insert(layer.bottom().begin(), layer.bottom().end());
  }
  std::reverse(unread.begin(), unread.end());
  return unread;
}

Status NetImporter::AddOutputs() {
  const std::vector<std::string> names = options_.outputs.empty() ? UnreadTops() : options_.outputs;
  if (names.empty()) return Invalid("no layer computes an output");
  for (const std::string& name : names) {
    if (values_.IsUnreachable(name)) continue;
    MICRORT_ASSIGN_OR_RETURN(ir::ValueId id, assembler_.AddOutput(name, values_.Find(name)));
    WarnIfRenamed("output", name, assembler_.graph().value(id), diagnostics_);
  }
  return Status();
}

}  // namespace

bool LooksLikeCaffe(Span<const uint8_t> bytes) {
  return LooksLikeNetText(bytes) || LooksLikeNetMessage(bytes);
}

Status ImportCaffe(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                   ImportDiagnostics* diagnostics) {
  CaffeNet net;
  MICRORT_RETURN_IF_ERROR(ReadNet(bytes, &net));
  NetWeights weights;
  weights.Take(net.proto);
  if (options.weights) {
    MICRORT_RETURN_IF_ERROR(
        weights.Read(options.weights->bytes).WithPrefix("%s", options.weights->path.c_str()));
  }
  out->graphs.push_back(std::make_unique<ir::Graph>());
  NetImporter importer(net, weights, options, out->graphs.back().get(), diagnostics);
  return importer.Import();
}

}  // namespace micrort::frontend::caffe
