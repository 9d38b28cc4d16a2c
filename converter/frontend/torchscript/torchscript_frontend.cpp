#include "converter/frontend/torchscript/torchscript_frontend.h"

#include <cstring>
#include <set>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/module_reader.h"
#include "converter/frontend/torchscript/ports.h"
#include "converter/frontend/torchscript/states.h"

namespace micrort::frontend::torchscript {

namespace {

bool HasAt(Span<const uint8_t> bytes, size_t offset, const char* magic) {
  const size_t n = std::strlen(magic);
  return bytes.size() >= offset + n && std::memcmp(bytes.data() + offset, magic, n) == 0;
}

// What is known of the model only once it has been run: positions among its inputs, and states.
struct Findings {
  std::set<std::string> integer_inputs, states;
};

// The model with inputs of these types, and these attributes as states.
Status ImportOnce(const ZipArchive& archive, const ImportOptions& options, const std::set<std::string>& kept,
                  WorkMeter* meter, ir::Graph* graph, ImportDiagnostics* diagnostics, Findings* findings) {
  Value root, constants;
  MICRORT_RETURN_IF_ERROR(ReadModule(archive, meter, &root, &constants));
  CodeLibrary code(archive);
  GraphAssembler assembler(graph);
  TensorTable table(archive, &assembler);
  Evaluator evaluator(code, table, constants, diagnostics, meter);
  Ports ports(options, code, evaluator, table);
  States states;
  std::vector<Value> arguments;
  MICRORT_RETURN_IF_ERROR(ports.AddInputs(*root.object, &arguments));
  MICRORT_RETURN_IF_ERROR(states.Declare(root, kept, &table));
  assembler.StartNodes();
  Value result;
  const Status status = evaluator.CallMethod(root, "forward", std::move(arguments), &result);
  findings->integer_inputs = table.integer_inputs;
  MICRORT_RETURN_IF_ERROR(status);
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*diagnostics));
  findings->states = states.Changed(diagnostics);
  MICRORT_RETURN_IF_ERROR(ports.AddOutputs(result));
  MICRORT_RETURN_IF_ERROR(states.AddStates(archive, &table));
  assembler.Finish();
  return Status();
}

}  // namespace

// Archives, and two forms of files of PyTorch that are named when they are refused.
bool LooksLikeTorchscript(Span<const uint8_t> bytes) {
  return HasAt(bytes, 0, "PK\x03\x04") || HasAt(bytes, 4, "PTMF") ||
         HasAt(bytes, 0, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46");
}

Status ImportTorchscript(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                         ImportDiagnostics* diagnostics) {
  if (HasAt(bytes, 4, "PTMF")) {
    return MICRORT_ERROR(
        kUnsupported,
        "this is a mobile file in PyTorch's flatbuffer format, which holds no code; save the model "
        "with torch.jit.save");
  }
  if (!HasAt(bytes, 0, "PK")) {
    return MICRORT_ERROR(
        kUnsupported,
        "this file was written by torch.save of PyTorch 1.5 or before, without the network's code; "
        "load it in Python, then torch.jit.trace(model.eval(), example).save(\"model.pt\")");
  }
  ZipArchive archive;
  MICRORT_RETURN_IF_ERROR(archive.Open(bytes));
  // TorchScript does not say what its tensors hold: floats, unless they are read as positions of elements.
  // Nor which of its attributes change.
  ImportOptions typed = options;
  std::set<std::string> kept;
  WorkMeter meter;  // of all tries
  for (;;) {
    out->graphs.clear();
    out->graphs.push_back(std::make_unique<ir::Graph>());
    *diagnostics = ImportDiagnostics();
    Findings found;
    const Status status =
        ImportOnce(archive, typed, kept, &meter, out->graphs.back().get(), diagnostics, &found);
    for (const auto& [name, dtype] : typed.input_types) found.integer_inputs.erase(name);
    for (const std::string& name : kept) found.states.erase(name);
    if (found.integer_inputs.empty() && found.states.empty()) return status;
    for (const std::string& name : found.integer_inputs) typed.input_types.emplace_back(name, DType::kInt64);
    kept.insert(found.states.begin(), found.states.end());
  }
}

Status ListTorchscript(Span<const uint8_t> bytes, const ImportOptions& /*options*/, std::vector<Offer>* out) {
  ZipArchive archive;
  WorkMeter meter;
  Value root, constants;
  MICRORT_RETURN_IF_ERROR(archive.Open(bytes));
  MICRORT_RETURN_IF_ERROR(ReadModule(archive, &meter, &root, &constants));
  CodeLibrary code(archive);
  const Class* c = nullptr;
  MICRORT_RETURN_IF_ERROR(code.FindClass(root.object->class_name, &c));
  const Function* forward = c == nullptr ? nullptr : c->Find("forward");
  out->emplace_back();
  for (size_t i = 1; forward != nullptr && i < forward->parameters.size(); ++i)
    out->back().inputs.push_back({forward->parameters[i].name, DType::kUnknown, false, {}, ""});
  return Status();
}

}  // namespace micrort::frontend::torchscript
