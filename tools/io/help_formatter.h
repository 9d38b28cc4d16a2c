#pragma once
// How --help looks: groups of options, a line each; --help-all adds the details.

#include <CLI/CLI.hpp>
#include <string>

namespace micrort::io {

// The first line of an option's help is what --help prints. Lines behind it are details.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;

 private:
  mutable bool has_details_ = false;  // of the help that is being made
};

}  // namespace micrort::io
