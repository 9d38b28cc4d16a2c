// Runs a network again and again, and prints the class that scores highest and the time of a run. The comment
// in network.h says how the network gets into the sketch.

#include <MicroRT.h>

#include "network.h"

// Element i of the input, as the network saw it in training. Read your sensor here.
static float Sample(size_t) { return 0.0f; }

static micrort::Status RunForever(micrort::Interpreter& network) {
  for (;;) {
    Fill(network.input(0), Sample);  // before every run, which may overwrite its inputs
    const unsigned long begin = micros();
    const micrort::Status status = network.Run();
    const unsigned long end = micros();
    if (!status.ok()) return status;
    Serial.print("class ");
    Serial.print(static_cast<unsigned>(LargestOf(network.output(0))));
    Serial.print(", microseconds ");
    Serial.println(end - begin);
    delay(1000);
  }
}

void setup() { Serial.begin(115200); }

void loop() {
  const micrort::Status status = WithNetwork(RunForever);
  Serial.print("MicroRT: error ");
  Serial.println(static_cast<int>(status.code()));  // the numbers are those of micrort::StatusCode
  delay(1000);
}
