// TfIdfVectorizer of numbers: for every n-gram of a pool, how often it occurs in each row.

#include <algorithm>

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// The n-grams of one length: element j of all of them is columns[j].
struct Grams {
  std::vector<std::vector<int64_t>> columns;
  std::vector<int64_t> coordinates;  // in the output

  int64_t length() const { return static_cast<int64_t>(columns.size()); }
  int64_t count() const { return static_cast<int64_t>(coordinates.size()); }
};

struct Ngrams {
  std::vector<Grams> grams;  // of ascending lengths, of which there are some
  int64_t outputs = 0;
};

Status ReadNgrams(NodeContext& c, Ngrams* pool) {
  const std::vector<int64_t> elements = c.Ints("pool_int64s");
  const std::vector<int64_t> starts = c.Ints("ngram_counts");
  const std::vector<int64_t> coordinates = c.Ints("ngram_indexes");
  size_t next = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto n = static_cast<int64_t>(i + 1), size = static_cast<int64_t>(elements.size());
    const int64_t end = i + 1 < starts.size() ? starts[i + 1] : size;
    if (starts[i] < 0 || end < starts[i] || end > size || (end - starts[i]) % n != 0)
      return Invalid("ngram_counts does not divide the pool");
    if (end == starts[i]) continue;
    Grams grams;
    grams.columns.resize(i + 1);
    for (int64_t at = starts[i]; at < end; ++at)
      grams.columns[static_cast<size_t>((at - starts[i]) % n)].push_back(elements[static_cast<size_t>(at)]);
    for (int64_t k = 0; k < (end - starts[i]) / n && next < coordinates.size(); ++k)
      grams.coordinates.push_back(coordinates[next++]);
    pool->grams.push_back(std::move(grams));
  }
  constexpr int64_t kMaxOutputs = 1 << 20;
  for (int64_t coordinate : coordinates) {
    if (coordinate < 0 || coordinate >= kMaxOutputs) return Invalid("ngram_indexes: {}", coordinate);
    pool->outputs = std::max(pool->outputs, coordinate + 1);
  }
  for (const Grams& grams : pool->grams) {
    if (grams.columns[0].size() != grams.coordinates.size())
      return Invalid("expected one of ngram_indexes for each n-gram");
  }
  return Status();
}

// Element j of all n-grams, [1,1,G], for each j.
std::vector<ir::ValueId> ColumnsOf(NodeContext& c, const Grams& grams) {
  std::vector<ir::ValueId> columns;
  for (const auto& column : grams.columns) columns.push_back(c.build.Constant({1, 1, grams.count()}, column));
  return columns;
}

// [B,C] → [B,G]: how often each n-gram, given by its columns, occurs with elements `step` apart.
ir::ValueId Occurrences(NodeContext& c, ir::ValueId x, const std::vector<ir::ValueId>& wanted, int64_t step) {
  const auto n = static_cast<int64_t>(wanted.size());
  const int64_t positions = c.value(x).dim(1) - (n - 1) * step;
  ir::ValueId all = ir::kNoValue;
  for (int64_t j = 0; j < n && c.build.status().ok(); ++j) {
    const ir::ValueId seen = c.build.Slice(x, 1, j * step, j * step + positions);
    const ir::ValueId column = c.build.Reshape(seen, {CopyDim(0), CopyDim(1), 1});
    const ir::ValueId equal = c.build.Equal(column, wanted[static_cast<size_t>(j)]);
    all = j == 0 ? equal : c.build.And(all, equal);
  }
  return c.build.Reduce(schema::ReduceKind::Sum, c.build.Cast(all, DType::kFloat32), {1}, false);
}

// A tensor of one row for each row of x, made of one that broadcasts.
ir::ValueId ForEachRow(NodeContext& c, ir::ValueId x, ir::ValueId row, int64_t columns) {
  const ir::ValueId rows = c.build.SizesOf(x, 0, 1);
  const ir::ValueId shape = c.build.Concat({rows, c.build.Integers({columns})}, 0);
  return c.build.Expand({row, shape});
}

// Adds what was found of each n-gram to its place in the counts.
ir::ValueId AddFound(NodeContext& c, ir::ValueId counts, ir::ValueId places, ir::ValueId found) {
  return c.build.ScatterElements({counts, places, found}, 1, schema::ScatterReduction::Add);
}

// Counts [B,outputs].
Status CountAll(NodeContext& c, ir::ValueId x, const Ngrams& pool, ir::ValueId* counts) {
  const int64_t shortest = c.Int("min_gram_length", 1), longest = c.Int("max_gram_length", 1);
  const int64_t skips = c.Int("max_skip_count", 0);
  const int64_t columns = c.value(x).dim(1);
  if (columns == ir::kDynamic) return Unsupported("the length of the input is not fixed");
  if (skips < 0 || skips > columns + 1) return Unsupported("max_skip_count is out of range");
  for (const Grams& grams : pool.grams) {
    const int64_t n = grams.length();
    if (n < shortest || n > longest || columns - (n - 1) < 1) continue;
    if (*counts == ir::kNoValue) *counts = ForEachRow(c, x, c.build.Scalar(0), pool.outputs);
    const ir::ValueId row = c.build.Constant({1, grams.count()}, grams.coordinates);
    const ir::ValueId places = ForEachRow(c, x, row, grams.count());
    const std::vector<ir::ValueId> wanted = ColumnsOf(c, grams);
    for (int64_t step = 1; step <= (n == 1 ? 1 : skips + 1) && columns - (n - 1) * step >= 1; ++step) {
      *counts = AddFound(c, *counts, places, Occurrences(c, x, wanted, step));
      MICRORT_RETURN_IF_ERROR(c.build.status());
    }
  }
  if (*counts != ir::kNoValue) return c.build.status();
  return Unsupported("no n-gram of the pool can occur");
}

Status ImportTfIdfVectorizer(NodeContext& c) {
  if (c.Has("pool_strings")) return Unsupported("strings");
  const std::string mode = c.String("mode", "TF");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") return Invalid("mode '{}'", mode);
  const int rank = c.x().rank();
  if (rank != 1 && rank != 2) return Invalid("expected 1 or 2 dimensions, found {}", rank);
  Ngrams pool;
  MICRORT_RETURN_IF_ERROR(ReadNgrams(c, &pool));
  const std::vector<float> weights = c.Floats("weights");
  ir::ValueId x = rank == 1 ? c.build.Reshape(c.input(0), {1, CopyDim(0)}) : c.input(0);
  if (c.x().dtype != DType::kInt64) x = c.build.Cast(x, DType::kInt64);
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_RETURN_IF_ERROR(CountAll(c, x, pool, &y));
  if (mode == "IDF") y = c.build.Min(y, c.build.Scalar(1));
  if (mode != "TF" && !weights.empty()) {
    if (static_cast<int64_t>(weights.size()) != pool.outputs)
      return Invalid("expected {} weights", pool.outputs);
    y = c.build.Mul(y, c.build.Constant({pool.outputs}, weights));
  }
  return c.Return(rank == 1 ? c.build.Reshape(y, {kInferDim}) : y);
}

}  // namespace

const ImporterList TfIdfImporters = {
    {"TfIdfVectorizer", 1, 1, ImportTfIdfVectorizer,
     Types(TypesOf(DType::kInt32, DType::kInt64)).Since(9).Without("strings")},
};

}  // namespace micrort::frontend::onnx
