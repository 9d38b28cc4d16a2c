#include "converter/frontend/caffe/layers/windows.h"

namespace micrort::frontend::caffe {

Status ReadWindowField(const WindowField& field, int64_t low, int64_t otherwise, int64_t WindowAxis::*to,
                       Window* window) {
  std::vector<int64_t> values = field.list;
  if ((field.has_h || field.has_w) && !values.empty()) return Invalid("the {} is given twice", field.name);
  if (field.has_h || field.has_w)
    values = {field.has_h ? field.h : otherwise, field.has_w ? field.w : otherwise};
  if (values.empty()) values = {otherwise};
  if (values.size() > 2) return Unsupported("a {} of {} dimensions", field.name, values.size());
  for (size_t i = 0; i < 2; ++i) {
    const int64_t v = values[values.size() == 1 ? 0 : i];
    MICRORT_RETURN_IF_ERROR(ExpectRange(field.name, v, low, kMaxExtent));
    window->axes[i].*to = v;
  }
  return Status();
}

}  // namespace micrort::frontend::caffe
