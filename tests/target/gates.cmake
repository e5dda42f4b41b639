# Gates on the board's own images: no heap, no stack overflow, a quarter free, no doubles in software.
set(gates ${PROJECT_SOURCE_DIR}/toolchain/gates)
set(tests ${PROJECT_SOURCE_DIR}/tests/gates)
set(board_dir ${PROJECT_SOURCE_DIR}/firmware/boards/${TACTUS_BOARD})
separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
list(REMOVE_ITEM flags -fno-exceptions)
set(handlers ${TACTUS_BOARD_HANDLERS})
list(TRANSFORM handlers PREPEND --handler=)
set(code_of ${CMAKE_OBJDUMP} --source ${PROJECT_SOURCE_DIR})
set(size ${PROJECT_SOURCE_DIR}/toolchain/image/size.py)

# tactus_add_image_gates(SUFFIX FIRMWARE APPLICATION DESCRIPTION CODE...): FIRMWARE is the image's target, APPLICATION the library that
# it runs, DESCRIPTION the file of its memories, CODE where its objects are. Each name ends in SUFFIX.
function(tactus_add_image_gates suffix firmware application description)
  set(names Gate.NoHeap Gate.StackHoldsTheWorstCase Gate.AQuarterIsFree)
  set(image $<TARGET_FILE:${firmware}> ${ARGN})
  add_test(NAME Gate.NoHeap${suffix}
    COMMAND ${Python3_EXECUTABLE} ${gates}/no_heap.py --nm ${CMAKE_NM} $<TARGET_FILE:${firmware}> $<TARGET_FILE:${application}>)
  add_test(NAME Gate.StackHoldsTheWorstCase${suffix}
    COMMAND ${Python3_EXECUTABLE} ${gates}/stack_depth.py --objdump ${code_of} ${handlers} ${image})
  add_test(NAME Gate.AQuarterIsFree${suffix}
    COMMAND ${Python3_EXECUTABLE} ${size} --board ${PROJECT_BINARY_DIR}/firmware/${description}
            --stack ${CMAKE_OBJDUMP} ${PROJECT_SOURCE_DIR} ${ARGN})
  if(TACTUS_BOARD_SCALAR STREQUAL "float")
    list(APPEND names Gate.TickHasNoSoftDouble)
    add_test(NAME Gate.TickHasNoSoftDouble${suffix}
      COMMAND ${Python3_EXECUTABLE} ${gates}/soft_double.py --objdump ${code_of} ${handlers} ${image})
  endif()
  list(TRANSFORM names APPEND "${suffix}")
  set_tests_properties(${names} PROPERTIES LABELS "quick;gate" TIMEOUT 90)
endfunction()

set(application tactus_servo)
if(tactus::io IN_LIST TACTUS_BOARD_APPLICATION)
  set(application tactus_io)
endif()
set(code ${PROJECT_BINARY_DIR}/firmware ${PROJECT_BINARY_DIR}/hal)
tactus_add_image_gates("" tactus_firmware ${application} board.json ${code})
if(TACTUS_BOARD_DEVICE_MAIN)
  tactus_add_image_gates(_device tactus_device_firmware tactus_servo device_board.json ${code})
endif()
if(TACTUS_BOARD_IO_MAIN)  # without the servo's objects
  tactus_add_image_gates(_io tactus_io_firmware tactus_io io_board.json ${PROJECT_BINARY_DIR}/firmware/io
    ${PROJECT_BINARY_DIR}/firmware/boards/CMakeFiles/tactus_board.dir
    ${PROJECT_BINARY_DIR}/firmware/boards/CMakeFiles/tactus_io_firmware.dir ${PROJECT_BINARY_DIR}/hal/cortex_m)
endif()

# Each gate finds what it is there for.
set(bites Gate.NoHeapFindsNewMallocAndThrow Gate.StackFindsHandlersPointersAndLargeFrames Gate.SizeIsRefusedAboveThreeQuarters)
add_test(NAME Gate.NoHeapFindsNewMallocAndThrow
  COMMAND ${Python3_EXECUTABLE} ${gates}/no_heap.py --nm ${CMAKE_NM} --self-test ${CMAKE_CXX_COMPILER} ${flags})
add_test(NAME Gate.StackFindsHandlersPointersAndLargeFrames
  COMMAND ${Python3_EXECUTABLE} ${tests}/stack_depth_test.py --objdump ${CMAKE_OBJDUMP} ${CMAKE_CXX_COMPILER} ${flags})
add_test(NAME Gate.SizeIsRefusedAboveThreeQuarters COMMAND ${Python3_EXECUTABLE} ${size} --self-test)
if(TACTUS_BOARD_SCALAR STREQUAL "float")
  list(APPEND bites Gate.SoftDoubleFindsDoublesInTheTick)
  add_test(NAME Gate.SoftDoubleFindsDoublesInTheTick
    COMMAND ${Python3_EXECUTABLE} ${tests}/soft_double_test.py --objdump ${CMAKE_OBJDUMP} ${CMAKE_CXX_COMPILER} ${flags})
endif()
set_tests_properties(${bites} PROPERTIES LABELS "quick;gate" TIMEOUT 90)
