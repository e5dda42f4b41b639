#pragma once

namespace tactus::servo {

/// Version and revision of the sources that were built, "0.1.0+2ec2444", "-dirty" behind it if they were changed since; the
/// version alone where there was no checkout. Written by toolchain/build_id.cmake.
extern const char kBuildId[];

}  // namespace tactus::servo
