#pragma once

#include <string>
#include <vector>

namespace micrort::ir {

// The few of `names` that the asked one was most likely meant to be, in quotes: "'conv1', 'conv2'".
std::string NearNames(const std::string& asked, std::vector<std::string> names);

}  // namespace micrort::ir
