# Cortex-M33 with its DSP extension and floating point unit.
set(MICRORT_CORTEX_FLAGS "-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
