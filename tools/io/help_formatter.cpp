#include "tools/io/help_formatter.h"

#include <sstream>

namespace micrort::io {
namespace {

constexpr size_t kLineWidth = 100, kNameWidth = 30;

// `text` behind `line`, at the column of descriptions, cut between words.
std::string Wrapped(std::string line, const std::string& text) {
  std::string out;
  std::istringstream words(text);
  line.resize(std::max(line.size(), kNameWidth), ' ');
  bool is_first = true;
  for (std::string word; words >> word; is_first = false) {
    if (!is_first && line.size() + 1 + word.size() > kLineWidth) {
      out += line + "\n";
      line = std::string(kNameWidth, ' ');
      is_first = true;
    }
    line += (is_first ? "" : " ") + word;
  }
  return out + line + "\n";
}

// "--quant NAME": limits of values are for the messages.
std::string NameOf(const CLI::Option* option, bool is_positional) {
  std::string name = "  " + option->get_name(is_positional, !is_positional);
  // A flag's default is what it means without a value.
  name = name.substr(0, name.find('{'));
  const std::string type = option->get_type_name();
  if (option->get_items_expected_max() > 0 && !type.empty()) name += " " + type.substr(0, type.find(':'));
  return name + "  ";
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  has_details_ = mode == CLI::AppFormatMode::All;
  return CLI::Formatter::make_help(app, std::move(name), mode);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string help = option->get_description();
  const size_t end = std::min(help.find('\n'), help.size());
  std::string text = Wrapped(NameOf(option, is_positional), help.substr(0, end));
  if (has_details_ && end < help.size()) text += Wrapped("", help.substr(end + 1));
  return text;
}

}  // namespace micrort::io
