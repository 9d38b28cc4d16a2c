#include "converter/frontend/torchscript/torchscript_frontend.h"

#include <cstring>

#include "converter/frontend/torchscript/code_library.h"
#include "converter/frontend/torchscript/kept_attributes.h"
#include "converter/frontend/torchscript/module_reader.h"

namespace micrort::frontend::torchscript {

namespace {

bool HasAt(Span<const uint8_t> bytes, size_t offset, const char* magic) {
  const size_t n = std::strlen(magic);
  return bytes.size() >= offset + n && std::memcmp(bytes.data() + offset, magic, n) == 0;
}

}  // namespace

// Archives, and two forms of files of PyTorch that are named when they are refused.
bool LooksLikeTorchscript(Span<const uint8_t> bytes) {
  return HasAt(bytes, 0, "PK\x03\x04") || HasAt(bytes, 4, "PTMF") ||
         HasAt(bytes, 0, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46");
}

Status ImportTorchscript(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                         ImportDiagnostics* diagnostics) {
  if (HasAt(bytes, 4, "PTMF"))
    return Unsupported(
        "this is a mobile file in PyTorch's flatbuffer format, which holds no code; save the model with "
        "torch.jit.save");
  if (!HasAt(bytes, 0, "PK")) {
    return Unsupported(
        "this file was written by torch.save of PyTorch 1.5 or before, without the network's code; load it "
        "in Python, then torch.jit.trace(model.eval(), example).save(\"model.pt\")");
  }
  ZipArchive archive;
  MICRORT_RETURN_IF_ERROR(archive.Open(bytes));
  return KeptAttributes(archive, options, out, diagnostics).Import();
}

Status ListTorchscript(Span<const uint8_t> bytes, const ImportOptions& /*options*/, std::vector<Offer>* out) {
  ZipArchive archive;
  WorkMeter meter;
  Value root, constants;
  MICRORT_RETURN_IF_ERROR(archive.Open(bytes));
  MICRORT_RETURN_IF_ERROR(ReadModule(archive, &meter, &root, &constants));
  CodeLibrary code(archive);
  MICRORT_ASSIGN_OR_RETURN(const Class* c, code.FindClass(root.object->class_name));
  const Function* forward = c == nullptr ? nullptr : c->Find("forward");
  out->emplace_back();
  for (size_t i = 1; forward != nullptr && i < forward->parameters.size(); ++i)
    out->back().inputs.push_back({forward->parameters[i].name, DType::kUnknown, false, {}, ""});
  return Status();
}

}  // namespace micrort::frontend::torchscript
