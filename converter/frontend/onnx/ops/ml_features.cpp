// Operators of ai.onnx.ml that prepare features, and what is done with labels.

#include <algorithm>
#include <cmath>

#include "converter/frontend/onnx/ops/ml_scores.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::ReduceKind;

constexpr int64_t kMaxKeys = 1 << 16;  // each element is compared with all of them

// One number for all features, or one each.
ir::ValueId PerFeature(NodeContext& c, const std::vector<float>& numbers) {
  if (numbers.size() == 1) return c.build.Scalar(numbers[0]);
  return c.build.Constant({static_cast<int64_t>(numbers.size())}, numbers);
}

Status ImportScaler(NodeContext& c) {
  const std::vector<float> offset = c.Floats("offset"), scale = c.Floats("scale");
  ir::ValueId x = c.build.As(c.input(0), DType::kFloat32);
  if (!offset.empty()) x = c.build.Sub(x, PerFeature(c, offset));
  if (!scale.empty()) x = c.build.Mul(x, PerFeature(c, scale));
  return c.Return(x);
}

Status ImportNormalizer(NodeContext& c) {
  const std::string norm = c.String("norm", "MAX");
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId x, ReadFeatures(c));
  ir::Builder& b = c.build;
  ir::ValueId length = ir::kNoValue;
  if (norm == "MAX") {
    length = b.Reduce(ReduceKind::Max, x, {1}, true);
  } else if (norm == "L1") {
    length = b.Reduce(ReduceKind::Sum, b.Abs(x), {1}, true);
  } else if (norm == "L2") {
    length = b.Sqrt(b.Reduce(ReduceKind::Sum, b.Mul(x, x), {1}, true));
  } else {
    return Unsupported("norm {}", norm);
  }
  const ir::ValueId divisor = b.Select({b.Equal(length, b.Scalar(0)), b.Scalar(1), length});
  return c.Return(b.Div(x, divisor));
}

Status ImportBinarizer(NodeContext& c) {
  const float threshold = c.Float("threshold", 0);
  const ir::ValueId x = c.build.As(c.input(0), DType::kFloat32);
  return c.Return(c.build.Cast(c.build.Greater(x, c.build.Scalar(threshold)), c.x().dtype));
}

Status ImportImputer(NodeContext& c) {
  const bool is_float = c.x().dtype == DType::kFloat32 || c.x().dtype == DType::kFloat64;
  const std::vector<float> floats = c.Floats("imputed_value_floats");
  const std::vector<int64_t> integers = c.Ints("imputed_value_int64s");
  const float replaced = c.Float("replaced_value_float", 0);
  const int64_t replaced_integer = c.Int("replaced_value_int64", 0);
  if (is_float ? floats.empty() : integers.empty()) return Invalid("no imputed values");
  ir::Builder& b = c.build;
  const ir::ValueId x = b.As(c.input(0), is_float ? DType::kFloat32 : DType::kInt64);
  const ir::ValueId is_missing = !is_float              ? b.Equal(x, b.Integer(replaced_integer))
                                 : std::isnan(replaced) ? b.IsNaN(x)
                                                        : b.Equal(x, b.Scalar(replaced));
  const ir::ValueId imputed =
      is_float ? PerFeature(c, floats) : b.Constant({static_cast<int64_t>(integers.size())}, integers);
  return c.Return(b.As(b.Select({is_missing, imputed, x}), c.x().dtype));
}

// Columns at these places, of each row.
Status ImportArrayFeatureExtractor(NodeContext& c) {
  const int rank = c.x().rank();
  if (rank == 0) return Invalid("a scalar has no features");
  const ir::ValueId x = rank == 1 ? c.build.InsertDim(c.input(0), 0) : c.input(0);
  const ir::ValueId places = c.build.Reshape(c.input(1), {ir::kInferDim});
  return c.Return(c.build.Gather(x, places, c.value(x).rank() - 1));
}

Status ImportFeatureVectorizer(NodeContext& c) {
  c.Ignore({"inputdimensions"});  // their shapes say the same
  std::vector<ir::ValueId> parts;
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (!c.has_input(i)) return Invalid("input {} is required, but absent", i);
    const int rank = c.x(i).rank();
    if (rank != 1 && rank != 2) return Invalid("expected rows of features, found {} dimensions", rank);
    const ir::ValueId x = c.build.As(c.input(i), DType::kFloat32);
    parts.push_back(rank == 1 ? c.build.InsertDim(x, 0) : x);
  }
  return c.Return(c.build.Concat(parts, 1));
}

// Whether each element is each of the keys, in one dimension more.
Result<ir::ValueId> EqualToEach(NodeContext& c, ir::ValueId keys) {
  const int64_t count = c.value(keys).dim(0);
  if (count > kMaxKeys) return Unsupported("{} keys", count);
  const ir::ValueId x = c.build.As(c.input(0), c.value(keys).dtype);
  return c.build.Checked(c.build.Equal(c.build.InsertDim(x, c.x().rank()), keys));
}

Status ImportOneHotEncoder(NodeContext& c) {
  const std::vector<int64_t> categories = c.Ints("cats_int64s");
  if (c.Int("zeros", 1) == 0) return Unsupported("zeros = 0, which makes an error of other categories");
  if (categories.empty()) return Unsupported("categories that are strings");
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId equal, EqualToEach(c, c.build.Integers(categories)));
  return c.Return(c.build.Cast(equal, DType::kFloat32));
}

// A list of numbers that one of two attributes holds.
ir::ValueId Numbers(NodeContext& c, const char* integers, const char* floats) {
  const std::vector<int64_t> as_integers = c.Ints(integers);
  const std::vector<float> as_floats = c.Floats(floats);
  if (as_floats.empty()) return c.build.Integers(as_integers);
  return c.build.Constant({static_cast<int64_t>(as_floats.size())}, as_floats);
}

Status ImportLabelEncoder(NodeContext& c) {
  c.Ignore({"default_string"});  // of strings
  const float default_float = c.Float("default_float", -0.0f);
  const int64_t default_integer = c.Int("default_int64", -1);
  const ir::ValueId keys = Numbers(c, "keys_int64s", "keys_floats");
  const ir::ValueId values = Numbers(c, "values_int64s", "values_floats");
  if (c.value(keys).dim(0) == 0 || c.value(values).dim(0) == 0)
    return Unsupported("keys or values that are strings");
  if (c.value(keys).dim(0) != c.value(values).dim(0))
    return Invalid("{} keys of {} values", c.value(keys).dim(0), c.value(values).dim(0));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId equal, EqualToEach(c, keys));
  ir::Builder& b = c.build;
  const int axis = c.x().rank();
  const ir::ValueId is_key = b.Cast(equal, DType::kInt32);
  const ir::ValueId place = b.Reduce(ReduceKind::ArgMax, is_key, {axis}, false);
  const ir::ValueId is_known = b.Cast(b.Reduce(ReduceKind::Max, is_key, {axis}, false), DType::kBool);
  const bool is_float = c.value(values).dtype == DType::kFloat32;
  const ir::ValueId otherwise = is_float ? b.Scalar(default_float) : b.Integer(default_integer);
  return c.Return(b.Select({is_known, b.Gather(values, place, 0), otherwise}));
}

// Maps from labels to scores, row by row, say no more than the scores of all classes in a tensor.
Status ImportZipMap(NodeContext& c) {
  const size_t names = c.Strings("classlabels_strings").size(), numbers = c.Ints("classlabels_int64s").size();
  c.warnings.push_back("'" + c.output_name(0) + "' is a tensor of a score for each of " +
                       std::to_string(std::max(names, numbers)) + " classes, and no list of maps");
  return c.Return(c.build.Identity(c.input(0)));
}

}  // namespace

const ImporterList MlFeatureImporters = {
    {"ai.onnx.ml.ArrayFeatureExtractor", 2, 2, ImportArrayFeatureExtractor, Types(kMlTypes)},
    {"ai.onnx.ml.Binarizer", 1, 1, ImportBinarizer, Types(kMlTypes)},
    {"ai.onnx.ml.FeatureVectorizer", 1, -1, ImportFeatureVectorizer, Types(kMlTypes)},
    {"ai.onnx.ml.Imputer", 1, 1, ImportImputer, Types(kMlTypes)},
    {"ai.onnx.ml.LabelEncoder", 1, 1, ImportLabelEncoder,
     Types(TypesOf(DType::kFloat32, DType::kInt64)).Without("strings; keys and values in tensors")},
    {"ai.onnx.ml.Normalizer", 1, 1, ImportNormalizer, Types(kMlTypes)},
    {"ai.onnx.ml.OneHotEncoder", 1, 1, ImportOneHotEncoder,
     Types(kMlTypes).Without("strings; an error for other categories")},
    {"ai.onnx.ml.Scaler", 1, 1, ImportScaler, Types(kMlTypes)},
    {"ai.onnx.ml.ZipMap", 1, 1, ImportZipMap,
     Types(kFloat32).Without("maps: the output is the tensor of scores")},
};

}  // namespace micrort::frontend::onnx
