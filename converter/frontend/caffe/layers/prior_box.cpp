// PriorBox of SSD: boxes of some sizes and shapes around every pixel of an image, as fractions of the
// network's input, and their variances. They depend on sizes alone, so they are a constant.

#include <algorithm>
#include <cmath>

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

using ::caffe::PriorBoxParameter;

constexpr int64_t kMostBoxes = 1 << 20;  // of all pixels
constexpr int64_t kMostRatios = 1024;    // each is compared with all before it

struct BoxSize {
  float width, height;
};

// The sizes at one pixel, in the order in which SSD has them.
Status PriorSizes(const PriorBoxParameter& p, std::vector<BoxSize>* out) {
  if (p.min_size().empty() || (!p.max_size().empty() && p.max_size_size() != p.min_size_size()))
    return Invalid("{} entries of min_size, {} of max_size", p.min_size_size(), p.max_size_size());
  MICRORT_RETURN_IF_ERROR(ExpectRange("entries of aspect_ratio", p.aspect_ratio_size(), 0, kMostRatios));
  std::vector<float> ratios = {1};
  for (const float given : p.aspect_ratio()) {
    const auto near = [given](float r) { return std::fabs(given - r) < 1e-6f; };
    if (!(given > 0)) return Invalid("an aspect_ratio of {}", given);
    if (std::any_of(ratios.begin(), ratios.end(), near)) continue;
    ratios.push_back(given);
    if (p.flip()) ratios.push_back(1 / given);
  }
  const int64_t of_a_size = static_cast<int64_t>(ratios.size()) + (p.max_size().empty() ? 0 : 1);
  MICRORT_RETURN_IF_ERROR(ExpectRange("boxes of a pixel", p.min_size_size() * of_a_size, 1, kMostBoxes));
  for (int i = 0; i < p.min_size_size(); ++i) {
    const float size = p.min_size(i);
    if (!(size > 0)) return Invalid("a min_size of {}", size);
    out->push_back({size, size});
    if (!p.max_size().empty()) {
      if (!(p.max_size(i) > size)) return Invalid("max_size {} is not above min_size", p.max_size(i));
      const float between = std::sqrt(size * p.max_size(i));
      out->push_back({between, between});
    }
    for (size_t k = 1; k < ratios.size(); ++k)
      out->push_back({size * std::sqrt(ratios[k]), size / std::sqrt(ratios[k])});
  }
  return Status();
}

Status PriorVariances(const PriorBoxParameter& p, std::vector<float>* out) {
  out->assign(p.variance().begin(), p.variance().end());
  if (out->empty()) out->push_back(0.1f);
  if (out->size() != 1 && out->size() != 4) return Invalid("{} variances: expected 1 or 4", out->size());
  out->resize(4, out->front());
  return Status();
}

// Along the height and the width: pixels of this layer, and of the network's input.
struct PriorGrid {
  int64_t cells[2], image[2];
  float step[2];
};

Status ReadPriorGrid(const LayerContext& c, PriorGrid* out) {
  const PriorBoxParameter& p = c.layer.prior_box_param();
  for (size_t i = 0; i < 2; ++i) {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(i, 4));
    MICRORT_RETURN_IF_ERROR(c.ExpectFixed(i, 2, 4));
  }
  const uint32_t given[2] = {p.has_img_h() ? p.img_h() : p.img_size(),
                             p.has_img_w() ? p.img_w() : p.img_size()};
  const float steps[2] = {p.has_step_h() ? p.step_h() : p.step(), p.has_step_w() ? p.step_w() : p.step()};
  for (int i = 0; i < 2; ++i) {
    out->cells[i] = c.dim(2 + i);
    out->image[i] = given[0] == 0 || given[1] == 0 ? c.dim(2 + i, 1) : given[i];
    MICRORT_RETURN_IF_ERROR(ExpectRange("size of the image", out->image[i], 1, kMaxExtent));
    MICRORT_RETURN_IF_ERROR(ExpectRange("size of the layer", out->cells[i], 1, kMaxExtent));
    out->step[i] = steps[0] == 0 || steps[1] == 0
                       ? static_cast<float>(out->image[i]) / static_cast<float>(out->cells[i])
                       : steps[i];
  }
  return Status();
}

// Corners of all boxes: left, top, right, bottom.
std::vector<float> PriorCorners(const PriorBoxParameter& p, const PriorGrid& grid,
                                const std::vector<BoxSize>& sizes) {
  std::vector<float> corners;
  const auto height = static_cast<float>(grid.image[0]), width = static_cast<float>(grid.image[1]);
  for (int64_t y = 0; y < grid.cells[0]; ++y) {
    for (int64_t x = 0; x < grid.cells[1]; ++x) {
      const float cx = (static_cast<float>(x) + p.offset()) * grid.step[1];
      const float cy = (static_cast<float>(y) + p.offset()) * grid.step[0];
      for (const BoxSize& s : sizes) {
        corners.push_back((cx - s.width / 2) / width);
        corners.push_back((cy - s.height / 2) / height);
        corners.push_back((cx + s.width / 2) / width);
        corners.push_back((cy + s.height / 2) / height);
      }
    }
  }
  if (p.clip()) {
    for (float& v : corners) v = std::min(std::max(v, 0.0f), 1.0f);
  }
  return corners;
}

// [1,2,boxes*4]: corners, then variances.
Status ImportPriorBox(LayerContext& c) {
  const PriorBoxParameter& p = c.layer.prior_box_param();
  std::vector<BoxSize> sizes;
  std::vector<float> variances;
  PriorGrid grid;
  MICRORT_RETURN_IF_ERROR(PriorSizes(p, &sizes));
  MICRORT_RETURN_IF_ERROR(PriorVariances(p, &variances));
  MICRORT_RETURN_IF_ERROR(ReadPriorGrid(c, &grid));
  MICRORT_RETURN_IF_ERROR(ExpectRange("cells", grid.cells[0] * grid.cells[1], 1, kMostBoxes));
  const int64_t boxes = grid.cells[0] * grid.cells[1] * static_cast<int64_t>(sizes.size());
  MICRORT_RETURN_IF_ERROR(ExpectRange("boxes", boxes, 1, kMostBoxes));
  std::vector<float> values = PriorCorners(p, grid, sizes);
  for (int64_t i = 0; i < boxes; ++i) values.insert(values.end(), variances.begin(), variances.end());
  return c.Return(c.build.Constant({1, 2, 4 * boxes}, values));
}

}  // namespace

const ImporterList PriorBoxLayers = {
    {"PriorBox", 2, 2, ImportPriorBox},
};

}  // namespace micrort::frontend::caffe
