# Gates on the ticks of the emulated board: none that has become dearer, none that is too dear.
# The instruction counter is a plugin for the emulator on this machine, so this machine's compiler builds it.
find_program(TACTUS_HOST_CC NAMES cc gcc clang REQUIRED)
set(counter_source ${PROJECT_SOURCE_DIR}/toolchain/tick_counter/tick_counter.c)
set(counter ${CMAKE_CURRENT_BINARY_DIR}/tick_counter.so)
add_custom_command(OUTPUT ${counter}
  COMMAND ${TACTUS_HOST_CC} -O2 -shared -fPIC -fvisibility=hidden ${counter_source} -o ${counter}
  DEPENDS ${counter_source}
  COMMENT "Building the instruction counter" VERBATIM)
add_custom_target(tactus_tick_counter_for_gate ALL DEPENDS ${counter})

# Hostile ticks: what a tick may cost at most, whatever happens (tests/support/hostile_ticks.h).
tactus_add_emulated_image(hostile_bench hostile_bench.cc ${PROJECT_SOURCE_DIR}/tests/support/hostile_ticks.cc
  ${PROJECT_SOURCE_DIR}/firmware/servo/tick_markers.cc)
target_link_libraries(hostile_bench PRIVATE tactus::servo)
set(hostile_ticks ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hostile_ticks.py --nm ${CMAKE_NM} --counter ${counter}
  --image $<TARGET_FILE:hostile_bench>)
set(run_hostile ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:hostile_bench>)
math(EXPR most_instructions "${TACTUS_BOARD_TICK_INSTRUCTIONS} * 80 / 100")
if(TACTUS_BOARD_TICK_MOST)  # what its board.cmake promises
  set(most_instructions ${TACTUS_BOARD_TICK_MOST})
endif()
list(APPEND hostile_ticks --most ${most_instructions})
add_test(NAME Gate.NoTickIsTooDear COMMAND ${hostile_ticks} --ticks 2000 -- ${run_hostile})
if(NOT TACTUS_BOARD_TICK_MOST)  # the costs are no bounds in a budget below work::Least: docs/boards.md, "Ticks"
  set(share 1)
  if(TACTUS_BOARD_WORK_SHARE)
    set(share ${TACTUS_BOARD_WORK_SHARE})
  endif()
  add_test(NAME Gate.WorkBoundsInstructions COMMAND ${hostile_ticks} --ticks 2000 --solves --share ${share} -- ${run_hostile})
  set_tests_properties(Gate.WorkBoundsInstructions PROPERTIES LABELS "quick;gate" TIMEOUT 90)
endif()
# Newton's steps on the round cone cost no more than they count.
tactus_add_emulated_image(round_bench round_bench.cc ${PROJECT_SOURCE_DIR}/firmware/servo/tick_markers.cc)
target_link_libraries(round_bench PRIVATE tactus::solve)
add_test(NAME Gate.WorkBoundsRoundSteps COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hostile_ticks.py
  --nm ${CMAKE_NM} --counter ${counter} --image $<TARGET_FILE:round_bench> --most 1000000 --solves
  -- ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:round_bench>)
set_tests_properties(Gate.WorkBoundsRoundSteps PROPERTIES LABELS "quick;gate" TIMEOUT 90)
add_test(NAME Gate.HostileTicksFailsForADearTick
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hostile_ticks.py --self-test)
# A million: cmake --build build/<board> --target hostile_million
add_custom_target(hostile_million
  COMMAND ${hostile_ticks} --ticks 1000000 --seed 2026 -- ${run_without_timeout} $<TARGET_FILE:hostile_bench>
  DEPENDS hostile_bench ${counter} USES_TERMINAL VERBATIM)

tactus_add_script(run_hostile_ticks ${hostile_ticks} "\"$@\"" -- ${run_without_timeout} $<TARGET_FILE:hostile_bench>)

set_tests_properties(Gate.NoTickIsTooDear Gate.HostileTicksFailsForADearTick PROPERTIES LABELS "quick;gate" TIMEOUT 90)
