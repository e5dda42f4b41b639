# Run in each build: writes firmware/servo/build_id.h's constant to OUTPUT. A file that says the same is left alone, so that a
# new commit compiles this one file again and nothing else.
#     cmake -DSOURCE=<repository> -DVERSION=<version> -DOUTPUT=<file.cc> -P build_id.cmake
set(build_id "${VERSION}")
if(EXISTS "${SOURCE}/.git")  # else git would describe whatever checkout these sources were unpacked in
  execute_process(COMMAND git describe --always --dirty --exclude=* WORKING_DIRECTORY "${SOURCE}"
    OUTPUT_VARIABLE revision RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    string(APPEND build_id "+${revision}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#include "firmware/servo/build_id.h"

const char tactus::servo::kBuildId[] = "@build_id@";
]])
