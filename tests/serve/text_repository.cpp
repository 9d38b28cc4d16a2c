#include "tests/serve/text_repository.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/serve/repository_fixture.h"

namespace micrort::test {

using nlohmann::json;

void AddCountingModel(const TemporaryFolder& repository, const std::string& name, const json& tokenizer,
                      const std::vector<std::string>& flags) {
  const TemporaryFolder folder;
  const std::string target = repository / (name + "/1");
  std::ofstream(folder / "model.onnx", std::ios::binary) << Counting("tokens").Bytes();
  WriteText(target + "/tokenizer.json", tokenizer.dump());
  std::vector<std::string> command = {folder / "model.onnx", "-o", target + "/model.fb", "--quiet"};
  command.insert(command.end(), flags.begin(), flags.end());
  const ProcessResult converted = RunProgram("mnnconvert", command);
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
}

json ChatLetters() {
  json tokenizer = Letters();
  int id = 27;
  for (const char* token : {"<|im_start|>", "<|im_end|>"})
    tokenizer["added_tokens"].push_back({{"id", id++}, {"content", token}, {"special", true}});
  return tokenizer;
}

json Bytes() {
  json tokenizer = Letters();
  // The names of the bytes C3 A9 and E2 82 AC.
  const char* kNames[] = {"\xC3\x83", "\xC2\xA9", "\xC3\xA2", "\xC4\xA4", "\xC2\xAC"};
  json vocabulary = {{"</s>", 0}, {"a", 1}, {"b", 2}, {"e", 8}};
  for (int i = 0; i < 5; ++i) vocabulary[kNames[i]] = 3 + i;
  tokenizer["model"]["vocab"] = vocabulary;
  tokenizer["decoder"] = {{"type", "ByteLevel"}};
  return tokenizer;
}

std::string TextRequest(const std::string& path, const std::string& body) {
  return "POST /v1/" + path +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::vector<json> EventsOf(const std::string& body) {
  std::vector<json> events;
  const std::string begin = "data: ", end = "\n\n";
  for (size_t at = 0; at < body.size();) {
    const size_t stop = body.find(end, at);
    EXPECT_TRUE(body.compare(at, begin.size(), begin) == 0 && stop != std::string::npos) << body.substr(at);
    if (stop == std::string::npos) return events;
    const std::string text = body.substr(at + begin.size(), stop - at - begin.size());
    at = stop + end.size();
    if (text == "[DONE]") {
      EXPECT_EQ(at, body.size());
      return events;
    }
    events.push_back(json::parse(text));
  }
  ADD_FAILURE() << "no [DONE] in " << body;
  return events;
}

std::string TextOf(const std::vector<json>& events) {
  std::string text;
  for (const json& event : events) {
    for (const json& choice : event["choices"]) {
      const json& holder = choice.contains("delta")     ? choice["delta"]
                           : choice.contains("message") ? choice["message"]
                                                        : choice;
      text += holder.value("content", holder.value("text", std::string()));
    }
  }
  return text;
}

}  // namespace micrort::test
