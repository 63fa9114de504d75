# toolchain.cmake: builds for arm64 on another machine, and runs the tests in qemu's emulation of a
# processor. tests/arm64/run.sh says which packages it needs.
#
# ARM64_ROOT in the environment is a folder with the arm64 packages, as dpkg -x unpacks them. Without
# it they are those that apt has installed beside this machine's own. QEMU_AARCH64 is the emulator,
# 8.0 or newer: older ones take minutes to reserve the 1 TiB of the emulated device.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(root "$ENV{ARM64_ROOT}")
if(root)
    set(CMAKE_SYSROOT ${root})
    set(ENV{PKG_CONFIG_SYSROOT_DIR} ${root})
endif()
set(ENV{PKG_CONFIG_LIBDIR}
    ${root}/usr/lib/aarch64-linux-gnu/pkgconfig:${root}/usr/share/pkgconfig)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(qemu qemu-aarch64)
if(DEFINED ENV{QEMU_AARCH64})
    set(qemu $ENV{QEMU_AARCH64})
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR ${qemu};-L;${root}/)
