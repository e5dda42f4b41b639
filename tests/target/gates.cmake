# Gates on the images: no heap, no stack overflow, no tick that has become dearer.
set(gates ${PROJECT_SOURCE_DIR}/toolchain/gates)
set(board_dir ${PROJECT_SOURCE_DIR}/firmware/boards/${TACTUS_BOARD})

add_test(NAME Gate.NoHeap
  COMMAND ${Python3_EXECUTABLE} ${gates}/no_heap.py --nm ${CMAKE_NM}
          $<TARGET_FILE:tactus_firmware> $<TARGET_FILE:tactus_servo>)
separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
list(REMOVE_ITEM flags -fno-exceptions)
add_test(NAME Gate.NoHeapFindsNewMallocAndThrow
  COMMAND ${Python3_EXECUTABLE} ${gates}/no_heap.py --nm ${CMAKE_NM} --self-test ${CMAKE_CXX_COMPILER} ${flags})

add_test(NAME Gate.StackHoldsTheWorstCase
  COMMAND ${Python3_EXECUTABLE} ${gates}/stack_depth.py --nm ${CMAKE_NM} $<TARGET_FILE:tactus_firmware>
          ${PROJECT_BINARY_DIR}/firmware ${PROJECT_BINARY_DIR}/hal)
add_test(NAME Gate.StackFindsRecursionAndLargeFrames
  COMMAND ${Python3_EXECUTABLE} ${gates}/stack_depth.py --self-test ${CMAKE_CXX_COMPILER} ${flags})

# The instruction counter is a plugin for the emulator on this machine, so this machine's compiler builds it.
find_program(TACTUS_HOST_CC NAMES cc gcc clang REQUIRED)
set(counter_source ${PROJECT_SOURCE_DIR}/toolchain/tick_counter/tick_counter.c)
set(counter ${CMAKE_CURRENT_BINARY_DIR}/tick_counter.so)
add_custom_command(OUTPUT ${counter}
  COMMAND ${TACTUS_HOST_CC} -O2 -shared -fPIC -fvisibility=hidden ${counter_source} -o ${counter}
  DEPENDS ${counter_source}
  COMMENT "Building the instruction counter" VERBATIM)
add_custom_target(tactus_tick_counter_for_gate ALL DEPENDS ${counter})

set(budget ${Python3_EXECUTABLE} ${gates}/instruction_budget.py --budget ${board_dir}/instruction_budget.json
  --nm ${CMAKE_NM} --counter ${counter} --image $<TARGET_FILE:target_test> --compiler ${CMAKE_CXX_COMPILER_VERSION})
add_test(NAME Gate.InstructionBudget COMMAND ${budget} -- ${run_image} "case=servo")
# Take the record again: cmake --build build/<board> --target retake_instruction_budget
add_custom_target(retake_instruction_budget COMMAND ${budget} --retake -- ${run_image} "case=servo"
  DEPENDS target_test ${counter} VERBATIM)
add_test(NAME Gate.InstructionBudgetIsTwoSided COMMAND ${Python3_EXECUTABLE} ${gates}/instruction_budget.py --self-test)

set_tests_properties(Gate.NoHeap Gate.NoHeapFindsNewMallocAndThrow Gate.StackHoldsTheWorstCase
  Gate.StackFindsRecursionAndLargeFrames Gate.InstructionBudget Gate.InstructionBudgetIsTwoSided
  PROPERTIES LABELS "quick;gate" TIMEOUT 90)
set_tests_properties(Gate.InstructionBudget PROPERTIES SKIP_RETURN_CODE 77)
