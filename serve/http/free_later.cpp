#include "serve/http/free_later.h"

#include <exception>
#include <memory>
#include <utility>

#include "serve/service/worker_pool.h"

namespace micrort::serve {
namespace {

constexpr size_t kLargeBytes = size_t{1} << 20;

void FreeElsewhere(std::string* bytes) {
  static WorkerPool pool(1);
  pool.Post([kept = std::make_shared<std::string>(std::move(*bytes))] {});
}

}  // namespace

void FreeLater(std::string* bytes) noexcept {
  try {
    if (bytes->capacity() >= kLargeBytes) FreeElsewhere(bytes);
  } catch (const std::exception&) {
    // Without memory or threads for that, it is freed here.
  }
  std::string().swap(*bytes);  // an assignment would keep the memory
}

}  // namespace micrort::serve
