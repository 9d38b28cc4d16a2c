#include "tools/io/argument_parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "micrort/version.h"
#include "tools/io/argument_hints.h"
#include "tools/io/help_formatter.h"
#include "tools/io/near_names.h"
#include "tools/io/program.h"

namespace micrort::io {
namespace {

std::string NotOneOf(const std::vector<std::string>& values, const std::string& found) {
  const std::string meant = ValueMeantBy(found, values);
  return "expected one of " + CLI::detail::join(values, ", ") + "; found '" + found + "'" +
         (meant.empty() ? DidYouMean(found, values) : "; did you mean " + meant + "?");
}

// As a shell takes it; names with blanks are common.
std::string Quoted(const std::string& argument) {
  return argument.find(' ') == std::string::npos ? argument : "'" + argument + "'";
}

// The line that was typed, without `left_out` and with `added` at its end.
std::string LineWith(int argc, char** argv, const std::string& program, const std::string& left_out,
                     const std::string& added) {
  std::string line = program;
  for (int i = 1; i < argc; ++i) {
    if (argv[i] != left_out) line += " " + Quoted(argv[i]);
  }
  return line + " " + added;
}

// "--calib: 1 required PATH... missing" of CLI11.
std::string ExplainMissingValue(const std::string& error) {
  const size_t colon = error.find(": "), required = error.find(" required "), end = error.rfind(" missing");
  if (colon == std::string::npos || required == std::string::npos || end == std::string::npos) return error;
  const size_t type = required + std::string(" required ").size();
  return error.substr(0, colon) + ": expected " + error.substr(type, end - type) + " after it, found nothing";
}

// "Could not convert: --scale = 1/128" of CLI11.
std::string ExplainNoNumber(const std::string& error) {
  const size_t colon = error.find(": "), equals = error.find(" = ");
  if (colon == std::string::npos || equals == std::string::npos) return error;
  return error.substr(colon + 2, equals - colon - 2) + ": expected a number such as 0.0078, found '" +
         error.substr(equals + 3) + "'";
}

// Of options, some take addresses; models and folders are files.
void RefuseAddresses(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    for (const std::string& value : option->results()) {
      const std::string download = DownloadOf(value);
      if (download.empty()) continue;
      throw CLI::ValidationError(option->get_name(), "expected a file, found the address '" + value +
                                                         "'; download it first: " + download);
    }
  }
}

}  // namespace

Option& Option::Required() {
  option_->required();
  return *this;
}

Option& Option::TypeName(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::Group(const std::string& title) {
  option_->group(title);
  return *this;
}

Option& Option::Repeatable() {
  option_->take_all()->allow_extra_args(false);
  return *this;
}

Option& Option::SeparatedBy(char separator) {
  option_->delimiter(separator);
  return *this;
}

Option& Option::OneOf(const std::vector<std::string>& values) {
  option_->check([values](const std::string& chosen) {
    const bool is_known = std::find(values.begin(), values.end(), chosen) != values.end();
    return is_known ? std::string() : NotOneOf(values, chosen);
  });
  return *this;
}

Option& Option::InRange(int min, int max) {
  option_->check([=](const std::string& text) {
    int value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= min && value <= max) return std::string();
    return "expected a number from " + std::to_string(min) + " to " + std::to_string(max) + ", found '" +
           text + "'";
  });
  return *this;
}

Option& Option::InRange(double min, double max) {
  option_->check(CLI::Range(min, max));
  return *this;
}

Option& Option::FiniteNumbers() {
  option_->check([](const std::string& text) {
    return std::isfinite(std::strtod(text.c_str(), nullptr)) ? "" : "expected a finite number, found " + text;
  });
  return *this;
}

Option& Option::NonZero() {
  option_->check([](const std::string& text) {
    return std::strtod(text.c_str(), nullptr) != 0 ? "" : "expected a number other than 0, found " + text;
  });
  return *this;
}

Option& Option::Excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

bool Option::is_given() const { return option_ != nullptr && option_->count() > 0; }

ArgumentParser::ArgumentParser(const std::string& program, const std::string& description,
                               const std::string& example)
    : app_(std::make_unique<CLI::App>(description, program)),
      example_(example.substr(0, std::min(example.find("  "), example.find('\n')))) {
  app_->allow_windows_style_options(false);  // a path may begin with a slash
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_help_all_flag("--help-all", "Print this help with all details");
  app_->footer("\nExample:\n  " + CLI::detail::find_and_replace(example, "\n", "\n  "));
}

ArgumentParser::~ArgumentParser() = default;

Option ArgumentParser::Add(const std::string& name, std::string* value, const std::string& help) {
  return Option(app_->add_option(name, *value, help));
}

Option ArgumentParser::Add(const std::string& name, std::vector<std::string>* values,
                           const std::string& help) {
  return Option(app_->add_option(name, *values, help));
}

Option ArgumentParser::Add(const std::string& name, std::vector<float>* values, const std::string& help) {
  return Option(app_->add_option(name, *values, help));
}

Option ArgumentParser::Add(const std::string& name, std::vector<int>* values, const std::string& help) {
  return Option(app_->add_option(name, *values, help));
}

Option ArgumentParser::Add(const std::string& name, int* value, const std::string& help) {
  return Option(app_->add_option(name, *value, help));
}

Option ArgumentParser::Add(const std::string& name, uint64_t* value, const std::string& help) {
  return Option(app_->add_option(name, *value, help));
}

Option ArgumentParser::Add(const std::string& name, double* value, const std::string& help) {
  return Option(app_->add_option(name, *value, help));
}

Option ArgumentParser::AddFlag(const std::string& name, bool* value, const std::string& help) {
  return Option(app_->add_flag(name, *value, help));
}

Option ArgumentParser::AddFlag(const std::string& name, std::string* value, const std::string& help) {
  optional_values_.push_back(name.substr(0, name.find('{')));
  return Option(app_->add_flag(name, *value, help));
}

void ArgumentParser::InGroup(const std::string& title, const std::function<void()>& add) {
  const std::string others = app_->option_defaults()->get_group();
  app_->option_defaults()->group(title);
  add();
  app_->option_defaults()->group(others);
}

Option ArgumentParser::AddNames(const std::string& name, const std::vector<std::string>& names,
                                std::function<void(const std::string&)> set, const std::string& help) {
  const auto check = [=](const std::string& chosen) {
    if (std::find(names.begin(), names.end(), chosen) != names.end()) return set(chosen);
    throw CLI::ValidationError(name, NotOneOf(names, chosen));
  };
  return Option(app_->add_option_function<std::string>(name, check, help)->type_name("NAME"));
}

void ArgumentParser::RefuseOptionsAsValues() const {
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_items_expected_min() == 0) continue;  // a flag, whose results are no texts of the user
    for (const std::string& value : option->results()) {
      if (value[0] != '-' || app_->get_option_no_throw(value) == nullptr) continue;
      throw CLI::ArgumentMismatch(
          option->get_name() + ": expected " + option->get_type_name() + ", found the option " + value,
          CLI::ExitCodes::ArgumentMismatch);
    }
  }
}

std::vector<std::string> ArgumentParser::OptionNames() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string ArgumentParser::UnknownOption() const {
  for (const std::string& extra : app_->remaining()) {
    if (extra.size() > 1 && extra[0] == '-' && extra != "--") return extra;
  }
  return "";
}

std::string ArgumentParser::ExplainOption(const std::string& option) const {
  const std::string name = option.substr(0, option.find('='));
  const std::string meant_by = OptionMeantBy(name, OptionNames());
  const bool is_whole = meant_by.find(' ') != std::string::npos;  // with its value, or what it is
  if (is_whole) return option + " is no option; did you mean " + meant_by + "?";
  const std::string nearest = meant_by.empty() ? NearestName(name, OptionNames()) : meant_by;
  if (nearest.empty()) return option + " is no option" + PositionalHint(option);
  // What follows an option that is not known is taken for an argument, the value of the one that was meant.
  const CLI::Option* meant = app_->get_option_no_throw(nearest);
  const std::vector<std::string> extras = app_->remaining();
  const auto next = std::find(extras.begin(), extras.end(), option) + 1;
  std::string value = option.substr(name.size());
  if (value.empty() && meant->get_items_expected_min() > 0 && next != extras.end()) value = " " + *next;
  return option + " is no option; did you mean " + nearest + value + "?";
}

// For flags in front of an argument that has none.
std::string ArgumentParser::PositionalHint(const std::string& flag) const {
  if (flag != "--model" && flag != "-m" && flag != "-i" && flag != "--input-model") return "";
  return "; type " + app_->get_name() + " MODEL ..., without a flag before the model";
}

std::string ArgumentParser::MissingHint(int argc, char** argv, const std::string& error) const {
  const std::string program = app_->get_name();
  const std::vector<std::string> extras = app_->remaining();
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_positional() || error.compare(0, option->get_name().size(), option->get_name()) != 0)
      continue;
    const std::string flag =
        option->get_snames().empty() ? option->get_name() : "-" + option->get_snames()[0];
    const std::string value = extras.empty() ? option->get_type_name() : extras[0];
    return "; type: " +
           LineWith(argc, argv, program, extras.empty() ? "" : extras[0], flag + " " + Quoted(value));
  }
  if (argc == 1) return "; for instance: " + example_;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_positional() || option->get_items_expected_max() <= 1 || option->results().empty())
      continue;
    return "; " + option->get_name() + " took '" + option->results().back() +
           "': put the other arguments before " + option->get_name();
  }
  return "";
}

std::string ArgumentParser::ExplainSurplus(int argc, char** argv) const {
  const std::vector<std::string> extras = app_->remaining();
  std::string text = "'" + extras[0] + "' is one argument too many";
  if (extras.size() > 1)
    text = "'" + extras[0] + "' and " + std::to_string(extras.size() - 1) + " more arguments are too many";
  return text + SurplusHint(argc, argv, extras[0]);
}

std::string ArgumentParser::SurplusHint(int argc, char** argv, const std::string& surplus) const {
  const std::vector<std::string> options = OptionNames();
  for (int i = 1; i + 1 < argc; ++i) {
    const std::string flag = argv[i], value = argv[i + 1];
    const bool takes_value =
        std::find(optional_values_.begin(), optional_values_.end(), flag) != optional_values_.end();
    if (takes_value && value[0] != '-')
      return "; if '" + value + "' is for " + flag + ", write " + flag + "=" + value;
    // -out FILE is -o ut.
    const std::string meant =
        flag.size() > 2 && flag[0] == '-' && flag[1] != '-' ? NearestName(flag, options) : "";
    if (!meant.empty() && value == surplus) return "; did you mean " + meant + " " + Quoted(value) + "?";
  }
  const bool has_input = std::find(options.begin(), options.end(), "--input") != options.end();
  const bool is_sample = surplus.size() > 4 && surplus.compare(surplus.size() - 3, 3, ".fb") != 0;
  if (has_input && is_sample && surplus.find('=') != std::string::npos)
    return "; did you mean --input " + Quoted(surplus) + "?";
  if (has_input && is_sample) return "; did you mean --input NAME=" + Quoted(surplus) + "?";
  return "; it takes one model at a time";
}

std::string ArgumentParser::Explain(int argc, char** argv, const std::exception& error) const {
  const std::string unknown = UnknownOption();
  if (!unknown.empty()) return ExplainOption(unknown);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return ExplainSurplus(argc, argv);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return ExplainMissingValue(error.what());
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return ExplainNoNumber(error.what());
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return error.what() + MissingHint(argc, argv, error.what());
  return error.what();
}

bool ArgumentParser::Parse(int argc, char** argv, int* exit_code) {
  app_->set_version_flag("--version", app_->get_name() + " " MICRORT_VERSION);  // last in the help text
  try {
    app_->parse(argc, argv);
    RefuseOptionsAsValues();
    RefuseAddresses(*app_);
  } catch (const CLI::Success& e) {
    *exit_code = app_->exit(e, std::cout, std::cerr);
    return false;
  } catch (const CLI::ParseError& e) {
    std::fprintf(stderr, "%s: error: %s\nTry '%s --help'.\n", app_->get_name().c_str(),
                 Explain(argc, argv, e).c_str(), app_->get_name().c_str());
    *exit_code = kExitUsage;
    return false;
  }
  return true;
}

}  // namespace micrort::io
