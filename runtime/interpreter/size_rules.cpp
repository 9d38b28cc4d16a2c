#include "runtime/interpreter/size_rules.h"

#include <cstring>

#include "runtime/model/size_rules.h"

namespace micrort {

namespace {

bool Keeps(const schema::SizeRule& rule, Span<const Shape> shapes, int64_t* left, int64_t* right) {
  return ComputeSize(*rule.left(), shapes, left) && ComputeSize(*rule.right(), shapes, right) &&
         *left == *right;
}

// A dimension that follows from others has one size that is right; else the rule tells.
Status Misfit(const schema::Subgraph& graph, const schema::SizeRule& rule, int64_t left, int64_t right) {
  const auto found = static_cast<long long>(left), expected = static_cast<long long>(right);
  const char *text = Text(rule.text()), *node = Text(rule.node());
  SizedDim at = {};
  if (!IsDim(*rule.left(), &at)) {
    return MICRORT_ERROR(kInvalidArgument,
                         "inputs: expected %.200s, as node '%.100s' needs it, found %lld and %lld", text,
                         node, found, expected);
  }
  const Status error =
      Reads(*rule.right(), at)
          ? MICRORT_ERROR(kInvalidArgument, "expected %.200s, as node '%.100s' needs it, found %lld", text,
                          node, found)
          : MICRORT_ERROR(kInvalidArgument, "expected %lld (%.200s, as node '%.100s' needs it), found %lld",
                          expected, text, node, found);
  return error.WithPrefix("input %u ('%.100s'): dimension %d", at.input,
                          Text(InputTensor(graph, at.input).name()), at.dim);
}

}  // namespace

Status CheckSizeRules(const schema::Subgraph& graph, Span<const Shape> shapes) {
  for (uint32_t i = 0; i < Count(SizeRulesOf(graph)); ++i) {
    const schema::SizeRule& rule = *SizeRulesOf(graph)->Get(i);
    int64_t left = 0, right = 0;
    if (!Keeps(rule, shapes, &left, &right)) return Misfit(graph, rule, left, right);
  }
  return Status();
}

namespace {

class SizeSearch {
 public:
  SizeSearch(const schema::Subgraph& graph, Span<Shape> shapes)
      : graph_(graph), rules_(SizeRulesOf(graph)), shapes_(shapes), given_(shapes.data(), shapes.size()) {}

  bool Find() {
    constexpr int64_t kMostTried = 64;
    constexpr int kMostAlone = 8;
    for (int64_t size = 1; size <= kMostTried; ++size) {
      for (int alone = kAll; alone < kMostAlone; ++alone) {
        if (Try(size, alone)) return true;
        if (work_ > kMostWork) return false;
      }
    }
    return false;
  }

 private:
  static constexpr int kAll = -1;
  // A file may be made to take long.
  static constexpr uint64_t kMostWork = uint64_t{1} << 20;

  // The dimension that rules read at this place among all that they read is the only one to get the size.
  bool Try(int64_t size, int alone) {
    for (uint32_t i = 0; i < Count(rules_); ++i) {
      const schema::SizeRule& rule = *rules_->Get(i);
      for (const SizeSteps* side : {rule.left(), rule.right()}) {
        work_ += side->size();
        SizedDim at = {};
        for (uint32_t from = 0; NextDim(*side, &from, &at);) Set(at, alone == kAll ? size : 1);
      }
    }
    SizedDim chosen = {};
    if (alone != kAll && FindPlace(alone, &chosen)) Set(chosen, size);
    Follow();
    return work_ <= kMostWork && CheckSizeRules(graph_, given_).ok();
  }

  bool FindPlace(int place, SizedDim* at) const {
    for (uint32_t i = 0; i < Count(rules_); ++i) {
      const schema::SizeRule& rule = *rules_->Get(i);
      for (const SizeSteps* side : {rule.left(), rule.right()}) {
        for (uint32_t from = 0; NextDim(*side, &from, at);) {
          if (place-- == 0) return true;
        }
      }
    }
    return false;
  }

  // The dimension, and all of its name.
  void Set(const SizedDim& at, int64_t size) {
    if (work_ > kMostWork || ShapeOf(InputTensor(graph_, at.input))[at.dim] >= 0) return;
    shapes_[at.input][at.dim] = size;
    const char* name = DimName(InputTensor(graph_, at.input), at.dim);
    for (size_t i = 0; *name != '\0' && i < shapes_.size(); ++i) {
      for (int d = 0; d < shapes_[i].rank; ++d, ++work_) {
        if (std::strcmp(DimName(InputTensor(graph_, i), d), name) == 0) shapes_[i][d] = size;
      }
    }
  }

  // In rounds, as some dimensions follow from such that follow from others.
  void Follow() {
    constexpr int kRounds = 3;
    for (uint32_t i = 0; i < kRounds * Count(rules_); ++i) {
      const schema::SizeRule& rule = *rules_->Get(i % Count(rules_));
      SizedDim at = {};
      int64_t size = 0;
      work_ += rule.right()->size();
      if (!IsDim(*rule.left(), &at) || Reads(*rule.right(), at)) continue;
      if (ComputeSize(*rule.right(), given_, &size) && size >= 0) Set(at, size);
    }
  }

  const schema::Subgraph& graph_;
  const SizeRuleList* const rules_;
  const Span<Shape> shapes_;
  const Span<const Shape> given_;
  uint64_t work_ = 0;
};

}  // namespace

bool KeepSizeRules(const schema::Subgraph& graph, Span<Shape> shapes) {
  return Count(SizeRulesOf(graph)) == 0 || SizeSearch(graph, shapes).Find();
}

}  // namespace micrort
