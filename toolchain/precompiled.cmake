# Most sources of the host tools, the benches and the tests include the same headers of libraries. Here they are parsed once. That
# saves a quarter to a third of a small source's time. Every source still includes all that it uses: the boards, the sanitizers'
# build and the package's users compile without this. The only header of ours in it is the one that includes Eigen.
option(TACTUS_PRECOMPILED "Parse the libraries' headers once for all sources" ${PROJECT_IS_TOP_LEVEL})
if(TACTUS_SANITIZE OR TACTUS_FUZZ OR CMAKE_SYSTEM_NAME STREQUAL "Generic")
  set(TACTUS_PRECOMPILED OFF)
endif()

function(tactus_add_precompiled name)  # tactus_add_precompiled(NAME LINK target... HEADERS header...)
  if(NOT TACTUS_PRECOMPILED)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;HEADERS")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "// The headers that go before it are all of it.\n")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE tactus::core tactus_host_warnings ${arg_LINK})
  target_precompile_headers(${name} PRIVATE "\"tactus/core/eigen.h\"" <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem>
    <fstream> <functional> <limits> <map> <memory> <numbers> <optional> <random> <span> <sstream> <string> <string_view> <utility>
    <vector> ${arg_HEADERS})
endfunction()

# tactus_use_precompiled(NAME TARGET...): of what tactus_add_precompiled made.
function(tactus_use_precompiled name)
  if(NOT TACTUS_PRECOMPILED)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM ${name})
    # With a precompiled header GCC 12 warns of copies inside std::string. ./dev check has no such header and keeps the warnings.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
      -Wno-stringop-overread)
  endforeach()
endfunction()

# tactus_tests_use_precompiled(NAME FOLDER): every program below FOLDER that GoogleTest runs.
function(tactus_tests_use_precompiled name folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    get_target_property(options ${target} COMPILE_OPTIONS)
    if("GTest::gtest_main" IN_LIST libraries AND NOT options AND libraries MATCHES "tactus::|tactus_(audit|bench|test)")
      tactus_use_precompiled(${name} ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    tactus_tests_use_precompiled(${name} ${below})
  endforeach()
endfunction()

# tactus_compile_together(TARGET NAME SOURCE...): these sources of a target in one go, for they have one long header in common.
# What they name in namespaces without a name must differ. Other builds compile each alone, as with the headers above.
function(tactus_compile_together target name)
  if(NOT TACTUS_PRECOMPILED)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${name})
endfunction()
