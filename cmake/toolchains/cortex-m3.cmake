# Cortex-M3: no DSP extension, no floating point unit.
set(MICRORT_CORTEX_FLAGS "-mcpu=cortex-m3 -mfloat-abi=soft")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
