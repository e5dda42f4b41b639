#pragma once

/// Allocations of this program so far: its operator new counts them.
long Allocations();
