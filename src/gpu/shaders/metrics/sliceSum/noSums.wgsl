// The gradient alone, see sliceSum.wgsl.

fn keepSums(s : u32, group : u32, local : u32, g : vec4f) {}
