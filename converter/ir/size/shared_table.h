#pragma once
// Values by small numbers, in blocks that copies of the table share until one of them writes to the block.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace micrort::ir::size {

template <typename T>
class SharedTable {
 public:
  bool empty() const { return blocks_.empty(); }
  // Null where there is none.
  const T* Find(int id) const {
    const size_t block = static_cast<size_t>(id) / kBlock;
    if (block >= blocks_.size() || blocks_[block] == nullptr) return nullptr;
    const std::optional<T>& value = (*blocks_[block])[static_cast<size_t>(id) % kBlock];
    return value ? &*value : nullptr;
  }
  // Made where there is none.
  T& At(int id) {
    const size_t block = static_cast<size_t>(id) / kBlock;
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    std::shared_ptr<Block>& shared = blocks_[block];
    if (shared == nullptr) shared = std::make_shared<Block>();
    if (shared.use_count() > 1) shared = std::make_shared<Block>(*shared);
    std::optional<T>& value = (*shared)[static_cast<size_t>(id) % kBlock];
    if (!value) value.emplace();
    return *value;
  }

 private:
  static constexpr size_t kBlock = 32;
  using Block = std::array<std::optional<T>, kBlock>;
  std::vector<std::shared_ptr<Block>> blocks_;
};

}  // namespace micrort::ir::size
