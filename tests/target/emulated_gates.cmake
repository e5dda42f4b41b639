# Gates on calls and solves of the emulated board, after tick_gates.cmake, which builds the counter.
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
set_tests_properties(Gate.InstructionBudget Gate.InstructionBudgetIsTwoSided PROPERTIES LABELS "quick;gate" TIMEOUT 90)
set_tests_properties(Gate.InstructionBudget PROPERTIES SKIP_RETURN_CODE 77)

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

set_tests_properties(Gate.StackOfASolve Gate.SolverInstructions PROPERTIES LABELS "quick;gate" TIMEOUT 90)
set_tests_properties(Gate.SolverInstructions PROPERTIES SKIP_RETURN_CODE 77)

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
