#pragma once
// What the programs' command lines are made of. CLI11 does the work, behind this header: compiling it takes
// longer than compiling most programs.

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace micrort::io {

// An argument or flag of a parser, which owns it.
class Option {
 public:
  Option() = default;  // not given
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& Required();
  Option& TypeName(const std::string& name);  // what --help puts for the value
  Option& Group(const std::string& title);    // the part of --help that shows it
  Option& Repeatable();                       // one value each time
  Option& SeparatedBy(char separator);        // of the values in one argument
  Option& OneOf(const std::vector<std::string>& values);
  Option& InRange(int min, int max);
  Option& InRange(double min, double max);
  Option& FiniteNumbers();
  Option& NonZero();
  Option& Excludes(const Option& other);

  bool is_given() const;

 private:
  CLI::Option* option_ = nullptr;
};

// Values are written while Parse() runs; those that are not given stay as they were.
class ArgumentParser {
 public:
  ArgumentParser(const std::string& program, const std::string& description, const std::string& example);
  ~ArgumentParser();

  // `name`: "--flag", "-f,--flag", or a word for an argument that is told by its place.
  Option Add(const std::string& name, std::string* value, const std::string& help);
  Option Add(const std::string& name, std::vector<std::string>* values, const std::string& help);
  Option Add(const std::string& name, std::vector<float>* values, const std::string& help);
  Option Add(const std::string& name, std::vector<int>* values, const std::string& help);
  Option Add(const std::string& name, int* value, const std::string& help);
  Option Add(const std::string& name, uint64_t* value, const std::string& help);
  Option Add(const std::string& name, double* value, const std::string& help);
  // Takes no value, or with "--flag{default}" an optional one.
  Option AddFlag(const std::string& name, bool* value, const std::string& help);
  Option AddFlag(const std::string& name, std::string* value, const std::string& help);
  // Takes one of the names in `choices`.
  template <typename T>
  Option AddChoice(const std::string& name, const std::map<std::string, T>& choices, T* value,
                   const std::string& help) {
    std::vector<std::string> names;
    for (const auto& choice : choices) names.push_back(choice.first);
    return AddNames(
        name, names, [=](const std::string& chosen) { *value = choices.at(chosen); }, help);
  }

  // Options that `add` adds are in this part of --help.
  void InGroup(const std::string& title, const std::function<void()>& add);

  // True if the program goes on; false with the exit code set for --help, --version and usage errors, of
  // which all has been printed.
  bool Parse(int argc, char** argv, int* exit_code);

 private:
  Option AddNames(const std::string& name, const std::vector<std::string>& names,
                  std::function<void(const std::string&)> set, const std::string& help);

  // CLI11 takes whatever follows an option for its value, another option, too.
  void RefuseOptionsAsValues() const;
  // "--output is required; ...": what is wrong with a command line, and the line that was likely meant.
  std::string Explain(int argc, char** argv, const std::exception& error) const;
  // The first argument that looks like an option and is none; "" if there is none.
  std::string UnknownOption() const;
  std::string ExplainOption(const std::string& option) const;
  // What is missing, where an argument that belongs nowhere may be it.
  std::string MissingHint(int argc, char** argv, const std::string& error) const;
  std::string PositionalHint(const std::string& flag) const;
  // What arguments that belong nowhere may have been for.
  std::string ExplainSurplus(int argc, char** argv) const;
  std::string SurplusHint(int argc, char** argv, const std::string& surplus) const;
  std::vector<std::string> OptionNames() const;

  std::unique_ptr<CLI::App> app_;
  std::string example_;                       // the first line of --help's examples
  std::vector<std::string> optional_values_;  // flags that take a value only behind '='
};

}  // namespace micrort::io
