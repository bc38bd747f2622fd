// Where the numbers of the units of a step are when it is one: in the columns of the step itself. Linked after actions.wgsl
// into kernels that have dims.section and dims.floatSection.
fn unitsMost() -> u32 { return 1u; }
/// What was written: the action.
fn writtenAt(step : u32) -> u32 { return dims.section + step; }
/// log π and entropy of the first unit.
fn unitLogpAt(step : u32) -> u32 { return step; }
fn unitEntropyAt(step : u32) -> u32 { return dims.floatSection + step; }
/// The first of two values.
fn headsAt(step : u32) -> u32 { return 3u * dims.floatSection + step; }
