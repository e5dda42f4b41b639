#pragma once
#include <string>
#include <string_view>

namespace tactus::host {

/// What a client sends before its first frame where a token is asked for: this, the token, and a line feed.
inline constexpr std::string_view kTokenGreeting = "tactus-token ";
inline constexpr std::size_t kMinToken_B = 16, kMaxToken_B = 256;

/// The token in a file: its first line, which is all of it. The file must be ours and nobody else's to read (mode 0600 or
/// less). @throws HostError.
std::string ReadToken(const std::string& path);

/// Whether they are the same, in a time that does not tell where they differ. `given` may be of any length.
bool EqualTokens(std::string_view token, std::string_view given);

}  // namespace tactus::host
