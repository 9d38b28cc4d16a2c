#include "runtime/ops/bounded_broadcast.h"

#include <algorithm>

#if !defined(MICRORT_NO_PLANNING)

namespace micrort {

namespace {

// One dimension of each input, counted from the last one.
class Sizes {
 public:
  Sizes(const PrepareContext& context, int inputs, int count, int from_last, Shape* shapes)
      : context_(context), inputs_(inputs), count_(count), from_last_(from_last), shapes_(shapes) {}

  void Fit() {
    int64_t fixed = 1, largest = 1;
    for (int i = 0; i < count_; ++i) {
      if (!Has(i)) continue;
      largest = std::max(largest, Size(i));
      if (!IsBounded(i) && Size(i) != 1) fixed = Size(i);
    }
    const int64_t size = fixed == 1 ? largest : fixed;
    for (int i = 0; i < count_; ++i) {
      if (Has(i) && IsBounded(i) && Size(i) != size) Size(i) = Size(i) > size ? size : 1;
    }
  }

 private:
  bool Has(int i) const { return from_last_ <= shapes_[i].rank; }
  int Dim(int i) const { return shapes_[i].rank - from_last_; }
  int64_t& Size(int i) { return shapes_[i][Dim(i)]; }
  bool IsBounded(int i) const { return i < inputs_ && context_.input(i).extents[Dim(i)] == Extent::kBounded; }

  const PrepareContext& context_;
  const int inputs_, count_, from_last_;
  Shape* const shapes_;
};

}  // namespace

void FitBounds(const PrepareContext& context, int inputs, int count, Shape* shapes) {
  if (context.stage() == PrepareStage::kRun) return;
  for (int from_last = 1; from_last <= kMaxRank; ++from_last)
    Sizes(context, inputs, count, from_last, shapes).Fit();
}

}  // namespace micrort

#endif
