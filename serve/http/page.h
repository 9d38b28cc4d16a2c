#pragma once

namespace micrort::serve {

// page.html.
extern const char kPage[];

}  // namespace micrort::serve
