# Gates on what runs on the emulated board: no tick and no solve that has become dearer.
# The instruction counter is a plugin for the emulator on this machine, so this machine's compiler builds it.
find_program(TACTUS_HOST_CC NAMES cc gcc clang REQUIRED)
set(counter_source ${PROJECT_SOURCE_DIR}/toolchain/tick_counter/tick_counter.c)
set(counter ${CMAKE_CURRENT_BINARY_DIR}/tick_counter.so)
add_custom_command(OUTPUT ${counter}
  COMMAND ${TACTUS_HOST_CC} -O2 -shared -fPIC -fvisibility=hidden ${counter_source} -o ${counter}
  DEPENDS ${counter_source}
  COMMENT "Building the instruction counter" VERBATIM)
add_custom_target(tactus_tick_counter_for_gate ALL DEPENDS ${counter})

# What a call of the servo costs, by scenario.
tactus_add_emulated_image(scenario_bench scenario_bench.cc scenarios.cc servo_script.cc)
target_link_libraries(scenario_bench PRIVATE tactus::servo)
set(budget ${Python3_EXECUTABLE} ${gates}/instruction_budget.py --budget ${board_dir}/instruction_budget.json
  --nm ${CMAKE_NM} --counter ${counter} --image $<TARGET_FILE:scenario_bench> --compiler ${CMAKE_CXX_COMPILER_VERSION})
set(run_scenarios ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:scenario_bench>)
add_test(NAME Gate.InstructionBudget COMMAND ${budget} -- ${run_scenarios})
# Take the record again: cmake --build build/<board> --target retake_instruction_budget
add_custom_target(retake_instruction_budget COMMAND ${budget} --retake -- ${run_scenarios}
  DEPENDS scenario_bench ${counter} VERBATIM)
add_test(NAME Gate.InstructionBudgetIsTwoSided COMMAND ${Python3_EXECUTABLE} ${gates}/instruction_budget.py --self-test)

# What one solve costs, by solver: cmake --build build/<board> --target solver_instructions
set(problems ${PROJECT_SOURCE_DIR}/tests/data/peg16.jsonl)
set(problem_table ${CMAKE_CURRENT_BINARY_DIR}/problems.inc)
add_custom_command(OUTPUT ${problem_table}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/problem_table.py ${problems} peg16 ${problem_table}
  DEPENDS ${problems} ${CMAKE_CURRENT_SOURCE_DIR}/problem_table.py
  COMMENT "Writing the benchmark's problems as a table" VERBATIM)
tactus_add_emulated_image(solver_bench solver_bench.cc ${PROJECT_SOURCE_DIR}/firmware/servo/tick_markers.cc ${problem_table})
target_include_directories(solver_bench PRIVATE ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
target_link_libraries(solver_bench PRIVATE tactus::solve)
set(solver_instructions ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/solver_instructions.py
  --record ${board_dir}/solver_instructions.json --nm ${CMAKE_NM} --counter ${counter} --image $<TARGET_FILE:solver_bench>
  --compiler ${CMAKE_CXX_COMPILER_VERSION})
set(run_bench ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:solver_bench> -append bench)
# One solve of one body with up to 32 contacts and 8 directions.
add_test(NAME Gate.StackOfASolve
  COMMAND ${Python3_EXECUTABLE} ${gates}/stack_depth.py --objdump ${code_of} --of "ContactSolver<.*>::Solve\\(" --most 4096
          $<TARGET_FILE:solver_bench> ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/solver_bench.dir ${PROJECT_BINARY_DIR}/hal)
add_test(NAME Gate.SolverInstructions COMMAND ${solver_instructions} -- ${run_bench})
add_custom_target(solver_instructions COMMAND ${solver_instructions} --show -- ${run_bench}
  DEPENDS solver_bench ${counter} VERBATIM)
add_custom_target(retake_solver_instructions COMMAND ${solver_instructions} --retake -- ${run_bench}
  DEPENDS solver_bench ${counter} VERBATIM)

# Hostile ticks: what a tick may cost at most, whatever happens (tests/support/hostile_ticks.h).
tactus_add_emulated_image(hostile_bench hostile_bench.cc ${PROJECT_SOURCE_DIR}/tests/support/hostile_ticks.cc
  ${PROJECT_SOURCE_DIR}/firmware/servo/tick_markers.cc)
target_link_libraries(hostile_bench PRIVATE tactus::servo)
set(hostile_ticks ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hostile_ticks.py --nm ${CMAKE_NM} --counter ${counter}
  --image $<TARGET_FILE:hostile_bench>)
set(run_hostile ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:hostile_bench>)
add_test(NAME Gate.NoTickAboveEightyPercent COMMAND ${hostile_ticks} --ticks 2000 -- ${run_hostile})
add_test(NAME Gate.WorkBoundsInstructions COMMAND ${hostile_ticks} --ticks 2000 --solves -- ${run_hostile})
add_test(NAME Gate.HostileTicksFailsForADearTick
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/hostile_ticks.py --self-test)
# A million: cmake --build build/<board> --target hostile_million
add_custom_target(hostile_million
  COMMAND ${hostile_ticks} --ticks 1000000 --seed 2026 -- ${run_without_timeout} $<TARGET_FILE:hostile_bench>
  DEPENDS hostile_bench ${counter} USES_TERMINAL VERBATIM)

tactus_add_script(run_hostile_ticks ${hostile_ticks} "\"$@\"" -- ${run_without_timeout} $<TARGET_FILE:hostile_bench>)

set_tests_properties(Gate.StackOfASolve Gate.InstructionBudget Gate.InstructionBudgetIsTwoSided
  Gate.SolverInstructions Gate.NoTickAboveEightyPercent Gate.WorkBoundsInstructions Gate.HostileTicksFailsForADearTick
  PROPERTIES LABELS "quick;gate" TIMEOUT 90)
set_tests_properties(Gate.InstructionBudget Gate.SolverInstructions PROPERTIES SKIP_RETURN_CODE 77)

# What a pair of shapes costs (tests/collide/collide_bench.cc): cmake --build build/<board> --target collide_instructions
tactus_add_emulated_image(collide_bench ${PROJECT_SOURCE_DIR}/tests/collide/collide_bench.cc
  ${PROJECT_SOURCE_DIR}/firmware/servo/tick_markers.cc)
target_include_directories(collide_bench PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(collide_bench PRIVATE tactus::collide)
add_custom_target(collide_instructions
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/solver_instructions.py --record none --nm ${CMAKE_NM}
    --counter ${counter} --image $<TARGET_FILE:collide_bench> --compiler ${CMAKE_CXX_COMPILER_VERSION} --show
    -- ${run_without_timeout} $<TARGET_FILE:collide_bench>
  DEPENDS collide_bench ${counter} USES_TERMINAL VERBATIM)
