#include "converter/quantize/static_int8.h"

#include "converter/quantize/int8_plan.h"
#include "converter/quantize/int8_rewrite.h"
#include "converter/quantize/value_quantization.h"

namespace micrort::quantize {

void QuantizeStatically(ir::Graph* graph, const observe::Ranges& ranges, Report* report) {
  const Int8Plan plan = PlanInt8(*graph, ranges, report);
  RewriteToInt8(graph, plan, AssignQuantization(*graph, ranges, plan));
}

}  // namespace micrort::quantize
