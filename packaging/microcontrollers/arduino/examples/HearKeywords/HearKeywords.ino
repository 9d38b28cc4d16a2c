// Prints the words that a keyword network of MLPerf Tiny (kws_ref_model.tflite) hears in the board's
// microphone. For boards with a PDM microphone and Arduino's library PDM, such as the Nano 33 BLE Sense. The
// comment in network.h says how the network gets into the sketch.

#include <MicroRT.h>
#include <PDM.h>

#include "keyword_features.h"
#include "network.h"

static const char* const kWords[] = {"down",  "go",   "left", "no",  "off",     "on",
                                     "right", "stop", "up",   "yes", "silence", "unknown"};
constexpr size_t kSpoken = 10;  // the others stand for none of them
constexpr float kThreshold = 0.8f;

static examples::KeywordFeatures features;  // 19 KB
using Features = examples::KeywordFeatures;

// What the microphone's interrupt has read: steps of 20 ms, of which the loop takes one while the next ones
// come.
constexpr size_t kWaiting = 16;
static int16_t waiting[kWaiting][Features::kStep];
static volatile size_t samples_read = 0;  // in all

static void ReadMicrophone() {
  int16_t* const all = waiting[0];
  constexpr size_t kAll = kWaiting * Features::kStep;
  static size_t at = 0;
  for (int left = PDM.available() / 2; left > 0;) {
    const size_t room = kAll - at;
    const size_t count = static_cast<size_t>(left) < room ? static_cast<size_t>(left) : room;
    PDM.read(all + at, static_cast<int>(2 * count));
    at = (at + count) % kAll;
    samples_read = samples_read + count;
    left -= static_cast<int>(count);
  }
}

// The word of the last second, if the network is sure of one.
static micrort::Status Recognize(micrort::Interpreter& network) {
  const micrort::TensorView input = network.input(0);
  features.Read([&input](size_t i, float x) {
    if (int8_t* const bytes = input.as<int8_t>()) {
      bytes[i] = Quantized(x, input.quantization);
    } else {
      input.as<float>()[i] = x;
    }
  });
  const micrort::Status status = network.Run();
  if (!status.ok()) return status;
  const micrort::TensorView scores = network.output(0);
  const size_t word = LargestOf(scores);
  const int8_t* const bytes = scores.as<int8_t>();
  const float score = bytes == nullptr ? scores.as<float>()[word]
                                       : scores.quantization.scale() *
                                             static_cast<float>(bytes[word] - scores.quantization.zero_point());
  if (word < kSpoken && score >= kThreshold) Serial.println(kWords[word]);
  return status;
}

static micrort::Status ListenForever(micrort::Interpreter& network) {
  size_t heard = 0, next = 0, steps = 0;
  for (;;) {
    if (samples_read - heard < Features::kStep) continue;
    features.Add(waiting[next]);
    next = (next + 1) % kWaiting;
    heard += Features::kStep;
    // A quarter of a second later the word is still there.
    if (!features.is_full() || ++steps % 12 != 0) continue;
    const micrort::Status status = Recognize(network);
    if (!status.ok()) return status;
  }
}

void setup() {
  Serial.begin(115200);
  PDM.onReceive(ReadMicrophone);
  if (!PDM.begin(1, Features::kRate)) Serial.println("no microphone");
}

void loop() {
  const micrort::Status status = WithNetwork(ListenForever);
  Serial.print("MicroRT: error ");
  Serial.println(static_cast<int>(status.code()));  // the numbers are those of micrort::StatusCode
  delay(1000);
}
