#include "converter/frontend/tflite/tflite_frontend.h"

#include <memory>

#include "converter/frontend/common/text.h"
#include "converter/frontend/tflite/graph_importer.h"

namespace micrort::frontend::tflite {

namespace {

// Entries that are not text are left out; text is padded with zeros.
void AddText(const std::string& key, std::string value, ir::Module* out) {
  constexpr size_t kMaxText = 4096;
  while (!value.empty() && value.back() == '\0') value.pop_back();
  if (!value.empty() && value.size() <= kMaxText && IsText(key) && IsText(value))
    out->metadata.emplace_back(key, value);
}

void ReadMetadata(const ModelFile& file, ir::Module* out) {
  if (file.model().description() != nullptr)
    AddText("tflite.description", file.model().description()->str(), out);
  if (file.model().metadata() == nullptr) return;
  for (const fb::Metadata* entry : *file.model().metadata()) {
    const Span<const uint8_t> bytes = file.BufferBytes(entry->buffer());
    if (entry->name() == nullptr) continue;
    AddText("tflite." + entry->name()->str(), std::string(bytes.begin(), bytes.end()), out);
  }
}

}  // namespace

Status ImportTflite(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                    ImportDiagnostics* diagnostics) {
  ModelFile file;
  MICRORT_RETURN_IF_ERROR(ModelFile::Open(bytes, &file));
  EntryPoint entry;
  MICRORT_RETURN_IF_ERROR(FindEntryPoint(file, options.signature, &entry));
  ReadMetadata(file, out);
  out->graphs.push_back(std::make_unique<ir::Graph>());
  GraphImporter importer(file, entry, options, out->graphs.back().get(), diagnostics);
  MICRORT_RETURN_IF_ERROR(importer.Import());
  return UnsupportedNodes(*diagnostics);
}

Status ListTflite(Span<const uint8_t> bytes, const ImportOptions& /*options*/, std::vector<Offer>* out) {
  ModelFile file;
  MICRORT_RETURN_IF_ERROR(ModelFile::Open(bytes, &file));
  ListEntryPoints(file, out);
  return Status();
}

}  // namespace micrort::frontend::tflite
