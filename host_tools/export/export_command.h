#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// `tactus export`: a recording as time series for NumPy, MATLAB and spreadsheets.
void AddExportCommand(CLI::App& app);

}  // namespace tactus::host
