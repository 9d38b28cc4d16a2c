#include "kernels/normalize/normalize_plan.h"

namespace micrort {
namespace {

enum Part { kOuter, kRows, kKept, kInner, kParts };

// The part that each dimension belongs to; kParts where it is 1 and belongs to none.
struct Parts {
  Part of[kMaxRank];
};

bool FindParts(const Shape& x, const bool* is_normalized, Parts* parts) {
  int part = kOuter;
  for (int d = 0; d < x.rank; ++d) {
    parts->of[d] = kParts;
    if (x[d] == 1) continue;
    const bool in_normalized_part = part == kRows || part == kInner;
    if (is_normalized[d] != in_normalized_part && ++part == kParts) return false;
    parts->of[d] = static_cast<Part>(part);
  }
  return true;
}

// Dimension d of a shape that broadcasts to one of rank `rank`.
int64_t BroadcastDim(const Shape& shape, int rank, int d) {
  const int at = d - (rank - shape.rank);
  return at < 0 ? 1 : shape[at];
}

bool Varies(const Shape* shape, int rank, int d) {
  return shape != nullptr && BroadcastDim(*shape, rank, d) != 1;
}

// Where the normalized axes come last, they are adjacent elements: rows of one part. Of the dimensions before
// them, those from where scale or bias vary on are kept.
void MakeRows(const Shape& x, const Shape* scale, const Shape* bias, Parts* parts) {
  bool varies = false;
  for (int d = 0; d < x.rank; ++d) {
    varies |= Varies(scale, x.rank, d) || Varies(bias, x.rank, d);
    if (parts->of[d] == kRows) parts->of[d] = kInner;
    if (parts->of[d] == kOuter && varies) parts->of[d] = kKept;
  }
}

// Whether a scale or bias has all dimensions of a part (`full`), or none of them.
bool CoversPart(const Shape& x, const Shape& shape, const Parts& parts, Part part, bool* full) {
  int covered = 0, dims = 0;
  for (int d = 0; d < x.rank; ++d) {
    const int64_t dim = BroadcastDim(shape, x.rank, d);
    if (dim != 1 && dim != x[d]) return false;
    if (parts.of[d] != part) continue;
    ++dims;
    covered += dim != 1;
  }
  *full = covered != 0;
  return covered == 0 || covered == dims;
}

bool PlanSteps(const Shape& x, const Shape* shape, const Parts& parts, size_t inner, NormalizeSteps* steps) {
  if (shape == nullptr) return true;
  if (shape->rank > x.rank) return false;
  bool full[kParts] = {};
  for (int part = 0; part < kParts; ++part) {
    if (!CoversPart(x, *shape, parts, static_cast<Part>(part), &full[part])) return false;
  }
  if (full[kOuter] || full[kRows]) return false;
  steps->inner = full[kInner] ? 1 : 0;
  if (full[kKept]) steps->kept = full[kInner] ? inner : 1;
  return true;
}

}  // namespace

bool PlanNormalize(const Shape& x, const bool* is_normalized, const Shape* scale, const Shape* bias,
                   NormalizePlan* plan) {
  Parts parts;
  if (!FindParts(x, is_normalized, &parts)) return false;
  bool has_kept = false, has_inner = false;
  for (int d = 0; d < x.rank; ++d) {
    has_kept |= parts.of[d] == kKept;
    has_inner |= parts.of[d] == kInner;
  }
  if (!has_kept && !has_inner) MakeRows(x, scale, bias, &parts);

  *plan = NormalizePlan();
  size_t* const sizes[] = {&plan->outer, &plan->rows, &plan->kept, &plan->inner};
  for (int d = 0; d < x.rank; ++d) {
    if (parts.of[d] != kParts) *sizes[parts.of[d]] *= static_cast<size_t>(x[d]);
  }
  return PlanSteps(x, scale, parts, plan->inner, &plan->scale) &&
         PlanSteps(x, bias, parts, plan->inner, &plan->bias);
}

}  // namespace micrort
