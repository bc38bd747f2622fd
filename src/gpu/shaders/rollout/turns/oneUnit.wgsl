// Every step is one unit. Linked into turnUnits.wgsl.
fn unitsOf(step : u32) -> u32 { return 1u; }
