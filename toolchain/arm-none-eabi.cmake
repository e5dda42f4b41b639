# Toolchain file for every Cortex-M board. The board's own folder says which processor, memory and emulator it is:
#     cmake --preset mps2-an500          (or -DCMAKE_TOOLCHAIN_FILE=... -DTACTUS_BOARD=mps2-an500)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TACTUS_BOARD)

set(TACTUS_BOARD "" CACHE STRING "Board to build for: a folder under firmware/boards")
set(tactus_board_dir ${CMAKE_CURRENT_LIST_DIR}/../firmware/boards/${TACTUS_BOARD})
if(NOT TACTUS_BOARD OR NOT EXISTS ${tactus_board_dir}/board.cmake)
  message(FATAL_ERROR "TACTUS_BOARD='${TACTUS_BOARD}' is not a folder under firmware/boards with a board.cmake")
endif()
include(${tactus_board_dir}/board.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/board_check.cmake)

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

string(JOIN " " tactus_c_flags ${TACTUS_BOARD_CPU_FLAGS} -mthumb -ffunction-sections -fdata-sections
  -ffp-contract=off -fno-math-errno -fno-unwind-tables -fno-asynchronous-unwind-tables
  -fcallgraph-info=su,da)  # for the stack gate: a .ci file beside each object
set(CMAKE_C_FLAGS_INIT "${tactus_c_flags}")
set(CMAKE_ASM_FLAGS_INIT "${tactus_c_flags}")
set(CMAKE_CXX_FLAGS_INIT "${tactus_c_flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics")
# No C library and no start files: the link itself proves that nothing calls malloc, and that we supply what runs.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-nostdlib -Wl,--gc-sections -Wl,--fatal-warnings -Wl,--no-warn-rwx-segments -Wl,--no-undefined")
set(CMAKE_C_STANDARD_LIBRARIES_INIT "-lgcc")
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-lgcc")

# ctest runs an image under QEMU. A fixed icount makes the run the same every time; QEMU waiting in a semihosting call
# ignores SIGTERM, so timeout needs -k.
if(TACTUS_BOARD_QEMU_MACHINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR timeout -k 1 60 qemu-system-arm -machine ${TACTUS_BOARD_QEMU_MACHINE} -display none
    -monitor none -serial none -semihosting-config enable=on,target=native -icount shift=3 -kernel)
endif()
