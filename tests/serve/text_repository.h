#pragma once
// Language models in repositories, and answers of text.

#include <string>
#include <vector>

#include "tests/programs/counting_decoder.h"
#include "tests/programs/process.h"
#include "tests/serve/server_process.h"

namespace micrort::test {

// The decoder that counts, with its tokenizer beside it.
void AddCountingModel(const TemporaryFolder& repository, const std::string& name,
                      const nlohmann::json& tokenizer, const std::vector<std::string>& flags = {});
// Letters and the tokens of ChatML.
nlohmann::json ChatLetters();
// From 3 on, a byte each: those of a character of two bytes, of one of three, and of 'e'.
nlohmann::json Bytes();

// A POST to /v1/PATH, as a client writes it.
std::string TextRequest(const std::string& path, const std::string& body);
// The JSON of each event of a stream that ends with [DONE]; what is no JSON is a failure.
std::vector<nlohmann::json> EventsOf(const std::string& body);
// Of all events, or of the one answer, completion or conversation.
std::string TextOf(const std::vector<nlohmann::json>& events);

}  // namespace micrort::test
