#pragma once
// What people type who know another program, and what it is called here.

#include <string>
#include <vector>

namespace micrort::io {

// The option and value that a flag of another name stands for, as far as this program has the option:
// "--quant fp16" for --fp16. "" for other names.
std::string OptionMeantBy(const std::string& flag, const std::vector<std::string>& options);

// The one of `values` that is another word for `asked`: fp16 for half. "" if there is none.
std::string ValueMeantBy(const std::string& asked, const std::vector<std::string>& values);

// For an address such as https://host/net.onnx where a file belongs: the command that downloads what it
// names. A page of a hub that shows a file is not the file, so its address is corrected. "" for everything
// else.
std::string DownloadOf(const std::string& argument);

}  // namespace micrort::io
