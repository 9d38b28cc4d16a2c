# Cortex-M55 with Helium and its floating point unit.
set(MICRORT_CORTEX_FLAGS "-mcpu=cortex-m55 -mfloat-abi=hard")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
