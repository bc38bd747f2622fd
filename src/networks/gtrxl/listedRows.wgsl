// The same of rows that are those of a list of live steps (places.wgsl), where the steps of an episode lie one after the other.
// Linked in the place of allRows.wgsl, after startOf.wgsl and gruCell/listedSteps.wgsl, into kernels that have dims (B, T).
fn rowsOf(s : u32) -> u32 { return rows[startOf(s)]; }
fn observed(s : u32, r : u32) -> u32 { return rows[startOf(s) + 4u + 2u * dims.B + r]; }
fn timeOf(s : u32, r : u32) -> u32 { return observed(s, r) % (dims.T + 1u); }
fn endOf(s : u32, r : u32) -> u32 { return stepsOf(s, observed(s, r) / (dims.T + 1u)); }
