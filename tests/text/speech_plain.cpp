// The recognizer by plain loops: all tokens anew for each.

#include <cmath>

#include "tests/text/speech_network.h"

namespace micrort::test {
namespace {

// Rows of one width.
struct Rows {
  size_t width;
  std::vector<double> values;
  size_t count() const { return values.size() / width; }
  double& at(size_t row, size_t column) { return values[row * width + column]; }
  double at(size_t row, size_t column) const { return values[row * width + column]; }
};

double Gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }

// `from` of each head, seen with weights of the products of `q` and `k`.
Rows Attend(const Rows& q, const Rows& k, const Rows& v, size_t heads, bool is_causal) {
  Rows out = {q.width, std::vector<double>(q.values.size(), 0.0)};
  const size_t head = q.width / heads;
  for (size_t h = 0; h < heads; ++h) {
    for (size_t row = 0; row < q.count(); ++row) {
      const size_t seen = is_causal ? row + 1 : k.count();
      std::vector<double> weights;
      double total = 0;
      for (size_t other = 0; other < seen; ++other) {
        double score = 0;
        for (size_t i = h * head; i < (h + 1) * head; ++i) score += q.at(row, i) * k.at(other, i);
        weights.push_back(std::exp(score / std::sqrt(static_cast<double>(head))));
        total += weights.back();
      }
      for (size_t other = 0; other < seen; ++other)
        for (size_t i = h * head; i < (h + 1) * head; ++i)
          out.at(row, i) += weights[other] / total * v.at(other, i);
    }
  }
  return out;
}

Rows Sum(Rows a, const Rows& b) {
  for (size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

}  // namespace

// Layers with the weights of a network.
class PlainLayers {
 public:
  explicit PlainLayers(const std::map<std::string, std::vector<float>>& weights) : weights_(weights) {}

  Rows Linear(const Rows& x, const std::string& name) const {
    const std::vector<float>&w = weights_.at(name), &bias = weights_.at(name + ".b");
    Rows out = {bias.size(), {}};
    for (size_t row = 0; row < x.count(); ++row) {
      for (size_t to = 0; to < out.width; ++to) {
        double sum = bias[to];
        for (size_t from = 0; from < x.width; ++from) sum += x.at(row, from) * w[from * out.width + to];
        out.values.push_back(sum);
      }
    }
    return out;
  }
  Rows Norm(Rows x, const std::string& name) const {
    const std::vector<float>&scale = weights_.at(name), &bias = weights_.at(name + ".b");
    for (size_t row = 0; row < x.count(); ++row) {
      double mean = 0, variance = 0;
      for (size_t i = 0; i < x.width; ++i) mean += x.at(row, i) / static_cast<double>(x.width);
      for (size_t i = 0; i < x.width; ++i)
        variance += std::pow(x.at(row, i) - mean, 2) / static_cast<double>(x.width);
      for (size_t i = 0; i < x.width; ++i)
        x.at(row, i) = (x.at(row, i) - mean) / std::sqrt(variance + 1e-5) * scale[i] + bias[i];
    }
    return x;
  }
  // Of rows of time, padded by one on each side.
  Rows Conv(const Rows& x, const std::string& name, size_t step) const {
    const std::vector<float>&w = weights_.at(name), &bias = weights_.at(name + ".b");
    Rows out = {bias.size(), {}};
    for (size_t row = 0; row < x.count(); row += step) {
      for (size_t to = 0; to < out.width; ++to) {
        double sum = bias[to];
        for (size_t tap = 0; tap < 3; ++tap) {
          if (row + tap < 1 || row + tap > x.count()) continue;
          for (size_t from = 0; from < x.width; ++from)
            sum += x.at(row + tap - 1, from) * w[(to * x.width + from) * 3 + tap];
        }
        out.values.push_back(Gelu(sum));
      }
    }
    return out;
  }
  Rows Table(const std::string& name, size_t width, const std::vector<int32_t>& rows) const {
    Rows out = {width, {}};
    for (const int32_t row : rows)
      for (size_t i = 0; i < width; ++i)
        out.values.push_back(weights_.at(name)[static_cast<size_t>(row) * width + i]);
    return out;
  }

 private:
  const std::map<std::string, std::vector<float>>& weights_;
};

namespace {

std::vector<int32_t> CountTo(size_t count) {
  std::vector<int32_t> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(static_cast<int32_t>(i));
  return numbers;
}

}  // namespace

std::vector<double> SpeechNetwork::Encode(const std::vector<float>& features) const {
  const auto values = AllValues();
  const PlainLayers layers(values);
  Rows x = {kBands, {}};
  for (size_t frame = 0; frame < kFrames; ++frame)
    for (size_t band = 0; band < kBands; ++band) x.values.push_back(features[band * kFrames + frame]);
  x = layers.Conv(layers.Conv(x, "conv1", 1), "conv2", 2);
  x = Sum(x, layers.Table("positions", x.width, CountTo(x.count())));
  const Rows y = layers.Norm(x, "e.n1");
  const Rows seen =
      Attend(layers.Linear(y, "e.q"), layers.Linear(y, "e.k"), layers.Linear(y, "e.v"), kHeads, false);
  return layers.Norm(Sum(x, layers.Linear(seen, "e.o")), "e.n2").values;
}

std::vector<double> SpeechNetwork::Logits(const std::vector<int32_t>& tokens,
                                          const std::vector<double>& states) const {
  const auto values = AllValues();
  const PlainLayers layers(values);
  const auto width = static_cast<size_t>(width_);
  const Rows encoded = {width, states};
  Rows x = Sum(layers.Table("tokens", width, tokens), layers.Table("places", width, CountTo(tokens.size())));
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string l = std::to_string(layer);
    Rows y = layers.Norm(x, l + ".n1");
    x = Sum(x, layers.Linear(Attend(layers.Linear(y, l + ".q"), layers.Linear(y, l + ".k"),
                                    layers.Linear(y, l + ".v"), kHeads, true),
                             l + ".o"));
    y = layers.Norm(x, l + ".n3");
    x = Sum(x, layers.Linear(Attend(layers.Linear(y, l + ".cq"), layers.Linear(encoded, l + ".ck"),
                                    layers.Linear(encoded, l + ".cv"), kHeads, false),
                             l + ".co"));
    y = layers.Linear(layers.Norm(x, l + ".n2"), l + ".f1");
    for (double& value : y.values) value = Gelu(value);
    x = Sum(x, layers.Linear(y, l + ".f2"));
  }
  const std::vector<double> all = layers.Linear(layers.Norm(x, "n"), "head").values;
  return {all.end() - kVocabulary, all.end()};
}

std::map<std::string, std::vector<float>> SpeechNetwork::AllValues() const {
  std::map<std::string, std::vector<float>> values;
  for (const auto& [name, weights] : weights_) values[name] = weights.values;
  return values;
}

}  // namespace micrort::test
