# tactus_add_foreign_program(NAME COMPILER COMMENT SOURCES source... FLAGS flag...): a program built with another compiler than
# this build's; ${NAME} is its path. Each source is compiled alone, and once for all programs of a folder: they have the same
# flags, and -O1: another level than this machine's side has, and half of its time. A compiler that is given several sources writes the dependencies of the last one only.
function(tactus_add_foreign_program name compiler comment)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "SOURCES;FLAGS")
  get_target_property(definitions tactus_core INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(room tactus_scene INTERFACE_COMPILE_DEFINITIONS)  # a computer as this one is
  list(APPEND definitions ${room})
  get_target_property(options tactus_core INTERFACE_COMPILE_OPTIONS)
  get_target_property(eigen_include Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  list(TRANSFORM definitions PREPEND -D)
  set(wire_include $<TARGET_PROPERTY:tactus_wire,INTERFACE_INCLUDE_DIRECTORIES>)
  get_property(known DIRECTORY PROPERTY TACTUS_FOREIGN_OBJECTS)
  set(objects)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(stem ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/foreign_${stem}.o)
    list(APPEND objects ${object})
    if(object IN_LIST known)
      continue()
    endif()
    add_custom_command(OUTPUT ${object}
      COMMAND ${compiler} -std=c++20 -O1 --param=ggc-min-expand=300 --param=ggc-min-heapsize=700000 ${options} ${definitions} ${arg_FLAGS}
              -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/lib
              "-isystem$<JOIN:${wire_include},;-isystem>" -idirafter ${eigen_include} -MD -MF ${object}.d -MT ${object}
              -c ${PROJECT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${PROJECT_SOURCE_DIR}/${source} tactus_wire_generated
      DEPFILE ${object}.d
      COMMENT "${comment}: ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_property(DIRECTORY APPEND PROPERTY TACTUS_FOREIGN_OBJECTS ${object})
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
