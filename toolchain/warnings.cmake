# How our own code is compiled. Dependencies are system headers and are not held to this.
add_library(tactus_host_warnings INTERFACE)
target_compile_options(tactus_host_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wdouble-promotion $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> -Werror)

# lib, hal and firmware: no exceptions, no run-time type information either.
add_library(tactus_warnings INTERFACE)
target_compile_options(tactus_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
target_link_libraries(tactus_warnings INTERFACE tactus_host_warnings)
