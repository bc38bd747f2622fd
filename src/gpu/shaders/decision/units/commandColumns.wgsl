// Where the numbers of the units of a step are when it may have several: in columns [S, B, T, decisions] after those of the
// steps, 0 beyond the last unit. Linked after command.wgsl into kernels that have dims.decisions, section, floatSection.
fn unitsMost() -> u32 { return min(dims.decisions, MOST); }
/// What was written: the command.
fn writtenAt(step : u32) -> u32 { return 2u * dims.section + step; }
/// log π and entropy of the first unit.
fn unitLogpAt(step : u32) -> u32 { return 3u * dims.floatSection + step * dims.decisions; }
fn unitEntropyAt(step : u32) -> u32 { return (3u + dims.decisions) * dims.floatSection + step * dims.decisions; }
/// The first of two values.
fn headsAt(step : u32) -> u32 { return (3u + 2u * dims.decisions) * dims.floatSection + step; }
