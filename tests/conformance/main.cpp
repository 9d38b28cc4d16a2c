// Runs one suite of ONNX's backend tests through the real path: converter code to a flatbuffer and back
// through the interpreter. Fails if a case fails that is not in the list of cases not passed yet, or if one
// passes that is: the list only shrinks.
//
// usage: conformance_tests SUITE_FOLDER NOT_PASSED_LIST [CASE...]

#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "tests/conformance/test_case.h"

namespace micrort::conformance {
namespace {

// Lines "suite/case: reason"; '#' starts a comment.
std::map<std::string, std::string> ReadList(const std::string& path) {
  std::map<std::string, std::string> list;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    list[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return list;
}

bool Selected(const std::string& name, int argc, char** argv) {
  if (argc <= 3) return true;
  for (int i = 3; i < argc; ++i) {
    if (name.find(argv[i]) != std::string::npos) return true;
  }
  return false;
}

int Main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: conformance_tests SUITE_FOLDER NOT_PASSED_LIST [CASE...]\n");
    return 1;
  }
  std::vector<std::string> folders;
  if (const Status status = ListCases(argv[1], &folders); !status.ok()) {
    std::fprintf(stderr, "conformance_tests: error: %s\n", status.message());
    return 1;
  }
  const std::map<std::string, std::string> not_passed = ReadList(argv[2]);
  int passed = 0, run = 0, surprises = 0;
  for (const std::string& folder : folders) {
    if (!Selected(folder, argc, argv)) continue;
    const CaseResult result = RunCase(folder);
    if (result.outcome == Outcome::kNotTensors) continue;
    ++run;
    const bool ok = result.outcome == Outcome::kPassed;
    passed += ok ? 1 : 0;
    const bool listed = not_passed.count(result.name) > 0;
    if (ok == listed) {
      ++surprises;
      std::printf("%s: %s\n", result.name.c_str(),
                  ok ? "passes now: take it off the list" : result.reason.c_str());
    }
  }
  std::printf("%d of %d cases with tensors only passed (%.1f %%), %d not as listed\n", passed, run,
              run > 0 ? 100.0 * passed / run : 0.0, surprises);
  return surprises == 0 && run > 0 ? 0 : 1;
}

}  // namespace
}  // namespace micrort::conformance

int main(int argc, char** argv) { return micrort::conformance::Main(argc, argv); }
