// Rows are all steps of all episodes, or the first ones of a replica: how many, the time of a row, and the steps of its episode.
// Linked into kernels that have dims (rows, T).
fn rowsOf(s : u32) -> u32 { return dims.rows; }
fn timeOf(s : u32, r : u32) -> u32 { return r % dims.T; }
fn endOf(s : u32, r : u32) -> u32 { return dims.T; }
