// Where a replica begins in a list of live steps, see places.wgsl. Linked behind Dims (B, T).
fn startOf(s : u32) -> u32 { return s * ((4u + 2u * dims.B + dims.B * dims.T + 63u) / 64u * 64u); }
