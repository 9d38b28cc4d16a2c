// Models, resolvers, and what concerns the whole library.

#include <string_view>

#include "micrort/cpus.h"
#include "micrort/version.h"
#include "runtime/c_api/handles.h"
#include "schema/micrort_generated.h"

namespace {

using micrort::Status;
using micrort::StatusCode;
using micrort::c_api::NullArgument;
using micrort::c_api::Report;
using micrort::c_api::WriteTensor;

static_assert(MICRORT_DEADLINE_EXCEEDED == static_cast<int>(StatusCode::kDeadlineExceeded),
              "status codes are those of C++");
static_assert(MICRORT_INT4 == static_cast<int>(micrort::DType::kInt4), "element types are those of C++");
static_assert(MICRORT_MAX_RANK == micrort::kMaxRank, "");
#if MICRORT_ERROR_STRINGS
static_assert(MICRORT_MESSAGE_BYTES == Status::kMaxMessage, "");
#endif

// Moves the model into a handle on the heap.
Status NewHandle(micrort::Result<micrort::Model> model, micrort_model** handle) {
  if (!model.ok()) return model.status();
  *handle = micrort::NewObject<micrort_model>(std::move(*model));
  if (*handle == nullptr)
    return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(micrort_model));
  return Status();
}

}  // namespace

extern "C" {

void micrort_set_allocator(const micrort_allocator* given) {
  micrort::Allocator allocator;
  if (given != nullptr) allocator = {given->allocate, given->deallocate, given->context};
  micrort::SetAllocator(allocator);
}

const char* micrort_version(void) { return MICRORT_VERSION; }

uint64_t micrort_big_cpus(void) { return micrort::BigCpus(); }
uint64_t micrort_little_cpus(void) { return micrort::LittleCpus(); }
micrort_status micrort_bind_thread(uint64_t cpus) {
  return static_cast<micrort_status>(micrort::BindThread(cpus).code());
}

const char* micrort_status_name(micrort_status status) {
  return micrort::StatusCodeName(static_cast<StatusCode>(status));
}

micrort_status micrort_model_from_file(const char* path, micrort_model** model, char* message,
                                       size_t message_bytes) {
  const Report report(message, message_bytes);
  if (model == nullptr) return report(NullArgument());
  *model = nullptr;
  return report(NewHandle(micrort::Model::FromFile(path), model));
}

micrort_status micrort_model_from_buffer(const void* data, size_t size, micrort_model** model, char* message,
                                         size_t message_bytes) {
  const Report report(message, message_bytes);
  if (model == nullptr) return report(NullArgument());
  *model = nullptr;
  return report(NewHandle(micrort::Model::FromBuffer(data, size), model));
}

void micrort_model_destroy(micrort_model* model) { micrort::DeleteObject(model); }

size_t micrort_model_input_count(const micrort_model* model) { return model->model.input_count(); }

micrort_status micrort_model_input(const micrort_model* model, size_t index, micrort_tensor* tensor) {
  const micrort_status status =
      WriteTensor(model->model.input(index), index, model->model.input_count(), tensor);
  if (status == MICRORT_OK) tensor->bytes = 0;
  return status;
}

int32_t micrort_model_decides_shapes(const micrort_model* model, size_t index) {
  return model->model.decides_shapes(index) ? 1 : 0;
}

size_t micrort_model_file_bytes(const micrort_model* model) { return model->model.file_bytes(); }
size_t micrort_model_weight_bytes(const micrort_model* model) { return model->model.weight_bytes(); }
size_t micrort_model_packed_file_bytes(const micrort_model* model) {
  return model->model.packed_file_bytes();
}
size_t micrort_model_packed_bytes(const micrort_model* model) { return model->model.packed_bytes(); }
size_t micrort_model_state_chunk(const micrort_model* model) { return model->model.state_chunk(); }

const char* micrort_model_metadata(const micrort_model* model, const char* key) {
  const auto* metadata = micrort::schema::GetModel(model->model.file().data())->metadata();
  if (metadata == nullptr || key == nullptr) return nullptr;
  for (const micrort::schema::Metadata* entry : *metadata) {
    if (entry->key() == nullptr || entry->value() == nullptr) continue;
    if (std::string_view(entry->key()->c_str(), entry->key()->size()) != key) continue;
    return entry->value()->c_str();
  }
  return nullptr;
}

micrort_resolver* micrort_resolver_create(void) { return micrort::NewObject<micrort_resolver>(); }

void micrort_resolver_add(micrort_resolver* resolver, const micrort_registration* op) {
  resolver->resolver.Add(*reinterpret_cast<const micrort::OpRegistration*>(op));
}

void micrort_resolver_destroy(micrort_resolver* resolver) { micrort::DeleteObject(resolver); }

}  // extern "C"
