#pragma once

namespace micrort::serve {

// page/page.html with its style and scripts.
extern const char kPage[];

}  // namespace micrort::serve
