# tactus_add_foreign_bits(NAME COMPILER COMMENT FLAGS...): the calculations of bit_cases.h as a program of its own, built with
# another compiler than this build's; ${NAME} is its path. Each source is compiled alone: a compiler that is given several
# writes the dependencies of the last one only.
function(tactus_add_foreign_bits name compiler comment)
  get_target_property(definitions tactus_core INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(options tactus_core INTERFACE_COMPILE_OPTIONS)
  get_target_property(eigen_include Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  list(TRANSFORM definitions PREPEND -D)
  set(wire_include $<TARGET_PROPERTY:tactus_wire,INTERFACE_INCLUDE_DIRECTORIES>)
  set(objects)
  foreach(source tests/target/bits_host.cc tests/target/bit_cases.cc tests/target/servo_script.cc tests/target/solver_bits.cc
      firmware/servo/config_from_wire.cc firmware/servo/messages.cc firmware/servo/link_device.cc firmware/servo/servo_app.cc firmware/servo/servo_orders.cc
      firmware/servo/servo_tick_double.cc firmware/servo/servo_tick_float.cc firmware/servo/tick_markers.cc)
    get_filename_component(stem ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}_${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${compiler} -std=c++20 -O2 ${options} ${definitions} ${ARGN}
              -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/lib
              "-isystem$<JOIN:${wire_include},;-isystem>" -idirafter ${eigen_include} -MD -MF ${object}.d -MT ${object}
              -c ${PROJECT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${PROJECT_SOURCE_DIR}/${source} tactus_wire_generated
      DEPFILE ${object}.d
      COMMENT "${comment}: ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${compiler} ${ARGN} ${objects} -o ${program}
    DEPENDS ${objects}
    COMMENT "${comment}"
    VERBATIM)
  add_custom_target(tactus_${name} ALL DEPENDS ${program})
  set(${name} ${program} PARENT_SCOPE)
endfunction()
