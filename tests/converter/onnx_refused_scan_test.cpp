// ONNX's Scan: bodies, axes and directions that do not fit what it scans.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_scan {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

// Sums of the state and a slice.
OnnxBuilder Body() {
  OnnxBuilder body;
  return body.Input("s", {"2"}).Input("e", {"2"}).Node("Add", {"s", "e"}, {"next"}).Output("next");
}

// Of a state and the rows of a matrix.
OneNode Scan(int opset = 9) {
  OneNode node("Scan", opset);
  if (opset < 9) node.Absent();
  return node;
}

OneNode Rows() {
  OneNode node = Scan();
  node.X({"2"}).X({"3", "2"}).Graph("body", Body()).Int("num_scan_inputs", 1);
  return node;
}

// In opset 8, of a batch.
OneNode Batch(const std::vector<std::string>& state, const std::vector<std::string>& rows) {
  OneNode node = Scan(8);
  node.X(state).X(rows).Graph("body", Body()).Int("num_scan_inputs", 1);
  return node;
}

const Refusal kScans[] = {
    {"AxesOfMoreInputs", MICRORT_STATUS(Rows().Ints("scan_input_axes", {0, 0}).Refused()),
     "attribute 'scan_input_axes': expected 1 entries, found 2"},
    {"UnknownDirection", MICRORT_STATUS(Rows().Ints("scan_input_directions", {2}).Refused()),
     "attribute 'scan_input_directions': direction 2"},
    {"NoBody", MICRORT_STATUS(Scan().X({"2"}).X({"3", "2"}).Int("num_scan_inputs", 1).Refused()),
     "(Scan, opset 9): attribute 'body' is missing"},
    {"NothingToScan", MICRORT_STATUS(Scan().X({"2"}).X({"3", "2"}).Graph("body", Body()).Refused()),
     "num_scan_inputs: expected 1 to 2, found 0"},
    {"BodyOfMoreInputs",
     MICRORT_STATUS(Scan().X({"3", "2"}).Graph("body", Body()).Int("num_scan_inputs", 1).Refused()),
     "expected a body of 1 inputs and at least 1 outputs, found 2 and 1"},
    {"BodyOfFewerOutputs", MICRORT_STATUS(Rows().Output("z").Refused()),
     "expected a body of 2 inputs and at least 2 outputs, found 2 and 1"},
    {"OtherLengths",
     MICRORT_STATUS(
         Scan().X({"3", "2"}).X({"4", "2"}).Graph("body", Body()).Int("num_scan_inputs", 2).Refused()),
     "expected scanned inputs of one length, found 3 and 4"},
    {"AbsentState",
     MICRORT_STATUS(Scan().Absent().X({"3", "2"}).Graph("body", Body()).Int("num_scan_inputs", 1).Refused()),
     "(Scan, opset 9): input 0 is required, but absent"},
    {"LengthsOfSequences",
     MICRORT_STATUS(OneNode("Scan", 8)
                        .Integers({3})
                        .X({"1", "3", "2"})
                        .Graph("body", Body())
                        .Int("num_scan_inputs", 1)
                        .Refused()),
     "lengths of sequences", kUnsupported},
    {"BatchOfNothing", MICRORT_STATUS(Scan(8).Graph("body", Body()).Refused()),
     "expected at least 2 inputs, found 0"},
    {"AbsentStateOfABatch",
     MICRORT_STATUS(
         Scan(8).Absent().X({"1", "3", "2"}).Graph("body", Body()).Int("num_scan_inputs", 1).Refused()),
     "an input is required, but absent"},
    {"BatchOfUnknownSize", MICRORT_STATUS(Batch({"N", "2"}, {"N", "3", "2"}).Refused()),
     "input 'x1': expected a batch of fixed size", kUnsupported},
    {"BatchesOfOtherSizes", MICRORT_STATUS(Batch({"1", "2"}, {"2", "3", "2"}).Refused()),
     "input 'x2': expected a batch of fixed size", kUnsupported},
    {"BatchOfNoRows", MICRORT_STATUS(Batch({"2", "2"}, {"2"}).Refused()), "input 2 has no axis to scan"},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedScan, kScans);

}  // namespace
}  // namespace micrort::testing::onnx_refused_scan
