# Cortex-M7 with its floating point unit for single precision, which all of them have that have one.
set(MICRORT_CORTEX_FLAGS "-mcpu=cortex-m7 -mfpu=fpv5-sp-d16 -mfloat-abi=hard")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
