# Gates on the board's own image: no heap, no stack overflow, no doubles in software.
set(gates ${PROJECT_SOURCE_DIR}/toolchain/gates)
set(tests ${PROJECT_SOURCE_DIR}/tests/gates)
set(board_dir ${PROJECT_SOURCE_DIR}/firmware/boards/${TACTUS_BOARD})

set(application tactus_servo)
if(tactus::io IN_LIST TACTUS_BOARD_APPLICATION)
  set(application tactus_io)
endif()
add_test(NAME Gate.NoHeap
  COMMAND ${Python3_EXECUTABLE} ${gates}/no_heap.py --nm ${CMAKE_NM}
          $<TARGET_FILE:tactus_firmware> $<TARGET_FILE:${application}>)
separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
list(REMOVE_ITEM flags -fno-exceptions)
add_test(NAME Gate.NoHeapFindsNewMallocAndThrow
  COMMAND ${Python3_EXECUTABLE} ${gates}/no_heap.py --nm ${CMAKE_NM} --self-test ${CMAKE_CXX_COMPILER} ${flags})

set(handlers ${TACTUS_BOARD_HANDLERS})
list(TRANSFORM handlers PREPEND --handler=)
set(code_of ${CMAKE_OBJDUMP} --source ${PROJECT_SOURCE_DIR})
set(firmware_image $<TARGET_FILE:tactus_firmware> ${PROJECT_BINARY_DIR}/firmware ${PROJECT_BINARY_DIR}/hal)
add_test(NAME Gate.StackHoldsTheWorstCase
  COMMAND ${Python3_EXECUTABLE} ${gates}/stack_depth.py --objdump ${code_of} ${handlers} ${firmware_image})
add_test(NAME Gate.StackFindsHandlersPointersAndLargeFrames
  COMMAND ${Python3_EXECUTABLE} ${tests}/stack_depth_test.py --objdump ${CMAKE_OBJDUMP} ${CMAKE_CXX_COMPILER} ${flags})
if(TACTUS_BOARD_SCALAR STREQUAL "float")
  add_test(NAME Gate.TickHasNoSoftDouble
    COMMAND ${Python3_EXECUTABLE} ${gates}/soft_double.py --objdump ${code_of} ${handlers} ${firmware_image})
  add_test(NAME Gate.SoftDoubleFindsDoublesInTheTick
    COMMAND ${Python3_EXECUTABLE} ${tests}/soft_double_test.py --objdump ${CMAKE_OBJDUMP} ${CMAKE_CXX_COMPILER} ${flags})
  set_tests_properties(Gate.TickHasNoSoftDouble Gate.SoftDoubleFindsDoublesInTheTick PROPERTIES LABELS "quick;gate" TIMEOUT 90)
endif()
add_test(NAME Gate.AQuarterIsFree
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/toolchain/image/size.py --board ${PROJECT_BINARY_DIR}/firmware/board.json
          --stack ${CMAKE_OBJDUMP} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/firmware ${PROJECT_BINARY_DIR}/hal)
add_test(NAME Gate.SizeIsRefusedAboveThreeQuarters
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/toolchain/image/size.py --self-test)
set_tests_properties(Gate.AQuarterIsFree Gate.SizeIsRefusedAboveThreeQuarters PROPERTIES LABELS "quick;gate" TIMEOUT 90)
set_tests_properties(Gate.NoHeap Gate.NoHeapFindsNewMallocAndThrow Gate.StackHoldsTheWorstCase
  Gate.StackFindsHandlersPointersAndLargeFrames PROPERTIES LABELS "quick;gate" TIMEOUT 90)

# The same gates on the image of a servo that drives its board's motors.
if(TACTUS_BOARD_DEVICE_MAIN)
  set(device_image $<TARGET_FILE:tactus_device_firmware> ${PROJECT_BINARY_DIR}/firmware ${PROJECT_BINARY_DIR}/hal)
  add_test(NAME Gate.DeviceFirmwareHasNoHeap
    COMMAND ${Python3_EXECUTABLE} ${gates}/no_heap.py --nm ${CMAKE_NM} $<TARGET_FILE:tactus_device_firmware> $<TARGET_FILE:tactus_servo>)
  add_test(NAME Gate.DeviceFirmwaresStackHoldsTheWorstCase
    COMMAND ${Python3_EXECUTABLE} ${gates}/stack_depth.py --objdump ${code_of} ${handlers} ${device_image})
  add_test(NAME Gate.DeviceFirmwareLeavesAQuarterFree
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/toolchain/image/size.py
            --board ${PROJECT_BINARY_DIR}/firmware/device_board.json --stack ${CMAKE_OBJDUMP} ${PROJECT_SOURCE_DIR}
            ${PROJECT_BINARY_DIR}/firmware ${PROJECT_BINARY_DIR}/hal)
  set(device_gates Gate.DeviceFirmwareHasNoHeap Gate.DeviceFirmwaresStackHoldsTheWorstCase Gate.DeviceFirmwareLeavesAQuarterFree)
  if(TACTUS_BOARD_SCALAR STREQUAL "float")
    add_test(NAME Gate.DeviceFirmwaresTickHasNoSoftDouble
      COMMAND ${Python3_EXECUTABLE} ${gates}/soft_double.py --objdump ${code_of} ${handlers} ${device_image})
    list(APPEND device_gates Gate.DeviceFirmwaresTickHasNoSoftDouble)
  endif()
  set_tests_properties(${device_gates} PROPERTIES LABELS "quick;gate" TIMEOUT 90)
endif()

# The same gates on the second image of a board that has one.
if(TACTUS_BOARD_IO_MAIN)
  set(io_code ${PROJECT_BINARY_DIR}/firmware/io ${PROJECT_BINARY_DIR}/firmware/boards/CMakeFiles/tactus_board.dir
    ${PROJECT_BINARY_DIR}/firmware/boards/CMakeFiles/tactus_io_firmware.dir ${PROJECT_BINARY_DIR}/hal/cortex_m)  # no servo
  set(io_image $<TARGET_FILE:tactus_io_firmware> ${io_code})
  add_test(NAME Gate.IoFirmwareHasNoHeap
    COMMAND ${Python3_EXECUTABLE} ${gates}/no_heap.py --nm ${CMAKE_NM} $<TARGET_FILE:tactus_io_firmware> $<TARGET_FILE:tactus_io>)
  add_test(NAME Gate.IoFirmwaresStackHoldsTheWorstCase
    COMMAND ${Python3_EXECUTABLE} ${gates}/stack_depth.py --objdump ${code_of} ${handlers} ${io_image})
  add_test(NAME Gate.IoFirmwareLeavesAQuarterFree
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/toolchain/image/size.py
            --board ${PROJECT_BINARY_DIR}/firmware/io_board.json --stack ${CMAKE_OBJDUMP} ${PROJECT_SOURCE_DIR} ${io_code})
  set(io_gates Gate.IoFirmwareHasNoHeap Gate.IoFirmwaresStackHoldsTheWorstCase Gate.IoFirmwareLeavesAQuarterFree)
  if(TACTUS_BOARD_SCALAR STREQUAL "float")
    add_test(NAME Gate.IoFirmwaresTickHasNoSoftDouble
      COMMAND ${Python3_EXECUTABLE} ${gates}/soft_double.py --objdump ${code_of} ${handlers} ${io_image})
    list(APPEND io_gates Gate.IoFirmwaresTickHasNoSoftDouble)
  endif()
  set_tests_properties(${io_gates} PROPERTIES LABELS "quick;gate" TIMEOUT 90)
endif()
