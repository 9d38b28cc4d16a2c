# Cortex-M0+: Armv6-M, whose instructions every Cortex-M has.
set(MICRORT_CORTEX_FLAGS "-mcpu=cortex-m0plus -mfloat-abi=soft")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
