#include "serve/scheduler/answer_cache.h"

#include <cstring>

namespace micrort::serve {
namespace {

std::vector<Tensor> CopyOf(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> copies(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    copies[i].name = tensors[i].name;
    copies[i].dtype = tensors[i].dtype;
    copies[i].shape = tensors[i].shape;
    copies[i].Own(tensors[i].data.size());
    if (!copies[i].owned.empty())
      std::memcpy(copies[i].owned.data(), tensors[i].data.data(), tensors[i].data.size());
  }
  return copies;
}

// With what the containers take, about.
size_t BytesOf(const std::string& key, const std::vector<Tensor>& outputs) {
  size_t bytes = 2 * key.size() + 256;
  for (const Tensor& output : outputs) bytes += output.data.size() + output.name.size() + 128;
  return bytes;
}

}  // namespace

std::string AnswerCache::KeyOf(const InferRequest& request) {
  std::string key;
  for (const RequestedOutput& output : request.outputs) key += output.name + '\0';
  key += '\0';
  for (const Tensor& input : request.inputs) {
    key += ShapeText(input.shape);
    key.append(reinterpret_cast<const char*>(input.data.data()), input.data.size());
  }
  return key;
}

bool AnswerCache::Find(const std::string& key, InferResponse* response) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return false;
  answers_.splice(answers_.begin(), answers_, found->second);
  response->outputs = CopyOf(found->second->outputs);
  return true;
}

void AnswerCache::Keep(const std::string& key, const InferResponse& response) {
  const size_t bytes = BytesOf(key, response.outputs);
  if (bytes > max_bytes_ / 4) return;
  const std::lock_guard lock(mutex_);
  if (by_key_.count(key) != 0) return;
  answers_.push_front({key, CopyOf(response.outputs), bytes});
  by_key_.emplace(key, answers_.begin());
  bytes_ += bytes;
  while (bytes_ > max_bytes_) {
    bytes_ -= answers_.back().bytes;
    by_key_.erase(answers_.back().key);
    answers_.pop_back();
  }
}

}  // namespace micrort::serve
