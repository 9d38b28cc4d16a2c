#pragma once
// Answers of a model that were computed before (response_cache of config.pbtxt): the same inputs give the
// same outputs.

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "serve/protocol/tensor.h"

namespace micrort::serve {

// Any thread may call it. What was not asked for the longest leaves first.
class AnswerCache {
 public:
  explicit AnswerCache(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Shapes and elements of the inputs, which are in the model's order, and the wanted outputs.
  static std::string KeyOf(const InferRequest& request);

  // False if there is none. Otherwise copies of the outputs.
  bool Find(const std::string& key, InferResponse* response);
  // Copies the outputs; nothing that would take more than a quarter of the room is kept.
  void Keep(const std::string& key, const InferResponse& response);

 private:
  struct Answer {
    std::string key;
    std::vector<Tensor> outputs;
    size_t bytes = 0;
  };

  const size_t max_bytes_;
  std::mutex mutex_;
  size_t bytes_ = 0;
  std::list<Answer> answers_;  // the last one that was asked for first
  std::unordered_map<std::string, std::list<Answer>::iterator> by_key_;
};

}  // namespace micrort::serve
