# Random corruptions of RAM under force, each followed by a fault: every one must leave the outputs off.
# More of them: cmake --build build/<board> --target corruption_campaign
tactus_add_emulated_image(campaign campaign_main.cc sabotage.cc servo_script.cc)
target_link_libraries(campaign PRIVATE tactus::servo)
set(run_campaign ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/corruption_campaign.py --board ${TACTUS_BOARD}
  --schema ${PROJECT_SOURCE_DIR}/lib/tactus/wire/tactus.fbs)
set(campaign_command -- ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:campaign>)
add_test(NAME Target.S6CorruptionsLeaveTheOutputsOff COMMAND ${run_campaign} --corruptions 100 ${campaign_command})
set_tests_properties(Target.S6CorruptionsLeaveTheOutputsOff PROPERTIES LABELS quick TIMEOUT 180 COST 100)
set(patient_campaign -- timeout -k 1 900 ${run_without_timeout} $<TARGET_FILE:campaign>)  # a busy machine is no failure
add_custom_target(corruption_campaign COMMAND ${run_campaign} --corruptions 10000 ${patient_campaign}
  DEPENDS campaign USES_TERMINAL VERBATIM)

tactus_add_script(run_campaign ${run_campaign} "\"$@\"" ${patient_campaign})
add_dependencies(tactus_quick campaign)
