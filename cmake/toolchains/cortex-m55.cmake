# Cortex-M55 with Helium and its floating point unit.
set(MICRORT_CORTEX_FLAGS "-mcpu=cortex-m55")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
