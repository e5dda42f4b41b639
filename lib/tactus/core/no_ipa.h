#pragma once

/// GCC draws no conclusion from the body of a function so marked when it compiles the calls, and does not inline it. For
/// functions of whose body GCC 12 concludes what is false; tests/package compares what they give without optimisation.
#if defined(__GNUC__) && !defined(__clang__)
#define TACTUS_NO_IPA [[gnu::noipa]]
#else
#define TACTUS_NO_IPA
#endif
