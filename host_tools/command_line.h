#pragma once

// CLI11 has headers only, and each source that includes them compiles all of it: four seconds. A header that hands a command
// on does with this.
namespace CLI {
class App;
}  // namespace CLI
