// Where step t of trajectory i is among all steps of a batch, and how many steps it has there. Linked into kernels that have
// dims (B, T).
fn stepAt(s : u32, i : u32, t : u32) -> u32 { return (s * dims.B + i) * dims.T + t; }
fn stepsOf(s : u32, i : u32) -> u32 { return dims.T; }
