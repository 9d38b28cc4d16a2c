#pragma once
// TorchScript archives (torch.jit.save) in, a graph of ours out.

#include "converter/frontend/frontend.h"

namespace micrort::frontend::torchscript {

bool LooksLikeTorchscript(Span<const uint8_t> bytes);

Status ImportTorchscript(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                         ImportDiagnostics* diagnostics);

// The tensors that `forward` takes, whose shapes no archive says. For models that cannot be imported without.
Status ListTorchscript(Span<const uint8_t> bytes, const ImportOptions& options, std::vector<Offer>* out);

}  // namespace micrort::frontend::torchscript
