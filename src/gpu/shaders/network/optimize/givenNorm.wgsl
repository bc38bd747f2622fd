// The norm of a gradient that gradNorm has made.
//
// norms : [S, 2], the first number is the norm

struct Dims { size : u32, k : u32, perReplica : u32, clipNorm : f32, p0 : f32, p1 : f32, p2 : f32, p3 : f32 }

@group(0) @binding(2) var<storage, read> norms : array<f32>;

fn normOf(s : u32, group : u32, local : u32) -> f32 { return norms[2u * s]; }
