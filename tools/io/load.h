#pragma once
// Files as inputs of a model, whatever their format.

#include <string>
#include <vector>

#include "micrort/tensor_view.h"
#include "tools/io/array.h"
#include "tools/io/image.h"

namespace micrort::io {

// What a file must become: the input's name, element type and shape; -1 where a dimension is dynamic.
struct InputSpec {
  std::string name;
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape;
  bool decides_shapes = false;  // random values will not do
  // The scale of integers that stand for real numbers; 0: they do not.
  float scale = 0;
  int32_t zero_point = 0;
  int64_t rows = 0;  // of the smallest table that its integers index; 0: not known
};

// Reads .npy, .npz (the member of that name, or the only one) or .pb as it is.
Status LoadArray(const std::string& path, const std::string& name, NamedArray* out);

// Reads such a file or a picture (by `preprocess`).
// Elements are converted where every value is kept. kInvalidArgument, naming input, expected and found, if
// the shape does not fit.
Status LoadInput(const std::string& path, const InputSpec& spec, const Preprocess& preprocess,
                 NamedArray* out);

bool IsPicture(const std::string& path);  // by its extension

// A line about preprocessing that is most likely not what the user wants: its means are for pixels from 0 to
// 1, or the first of `files` that is no picture is not touched by it. "" if there is nothing to say.
std::string PreprocessNote(const std::vector<std::string>& files, const Preprocess& preprocess);

// A line to say that the elements of an array are of another type than the input, where that is often a
// mistake: float64, or bytes that nobody scaled. "" where there is nothing to say.
std::string ConvertedNote(const std::string& input, const NamedArray& array);

// The same, as samples that each fit the input: an array that is longer than the input along the first axis,
// or has one axis more, holds several. An input with a dynamic first dimension gets samples of 1.
Status LoadSamples(const std::string& path, const InputSpec& spec, const Preprocess& preprocess,
                   std::vector<NamedArray>* out);
// The same of an array that `path` held.
Status SamplesOf(const std::string& path, const NamedArray& array, const InputSpec& spec,
                 std::vector<NamedArray>* out);

}  // namespace micrort::io
