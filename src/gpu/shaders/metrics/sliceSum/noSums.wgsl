// The gradient alone, see sliceSum.wgsl.

fn keepSums(s : u32, group : u32, groups : u32, local : u32, steps : u32, squares : f32) {}
