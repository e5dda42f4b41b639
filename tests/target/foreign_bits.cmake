# tactus_add_foreign_program(NAME COMPILER COMMENT SOURCES source... FLAGS flag...): a program built with another compiler than
# this build's; ${NAME} is its path. Each source is compiled alone: a compiler that is given several writes the dependencies of
# the last one only.
function(tactus_add_foreign_program name compiler comment)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "SOURCES;FLAGS")
  get_target_property(definitions tactus_core INTERFACE_COMPILE_DEFINITIONS)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Generic")  # a computer as this one is, with its room for scenes
    get_target_property(room tactus_scene INTERFACE_COMPILE_DEFINITIONS)
    list(APPEND definitions ${room})
  endif()
  get_target_property(options tactus_core INTERFACE_COMPILE_OPTIONS)
  get_target_property(eigen_include Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  list(TRANSFORM definitions PREPEND -D)
  set(wire_include $<TARGET_PROPERTY:tactus_wire,INTERFACE_INCLUDE_DIRECTORIES>)
  set(objects)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(stem ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}_${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${compiler} -std=c++20 -O2 ${options} ${definitions} ${arg_FLAGS}
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
    COMMAND ${compiler} ${arg_FLAGS} ${objects} -o ${program}
    DEPENDS ${objects}
    COMMENT "${comment}"
    VERBATIM)
  add_custom_target(tactus_${name} ALL DEPENDS ${program})
  set(${name} ${program} PARENT_SCOPE)
endfunction()

# What the servo application is made of.
set(tactus_servo_sources
  firmware/servo/config_from_wire.cc firmware/servo/messages.cc firmware/servo/link_device.cc firmware/servo/servo_app.cc
  firmware/servo/scene_loader.cc firmware/servo/servo_orders.cc firmware/servo/servo_told.cc firmware/servo/stream_inbox.cc firmware/servo/servo_tick_double.cc firmware/servo/servo_tick_float.cc firmware/servo/tick_markers.cc)

# tactus_add_foreign_bits(NAME COMPILER COMMENT FLAGS...): the calculations of bit_cases.h as such a program.
function(tactus_add_foreign_bits name compiler comment)
  tactus_add_foreign_program(${name} ${compiler} ${comment} FLAGS ${ARGN}
    SOURCES tests/target/bits_host.cc tests/target/bit_cases.cc tests/target/servo_script.cc tests/target/solver_bits.cc
      ${tactus_servo_sources})
  set(${name} ${${name}} PARENT_SCOPE)
endfunction()
