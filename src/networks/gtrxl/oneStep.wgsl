// One step of every episode asks: what it is read by later is kept.
// asked : [S, maxRows, 3D], the first rows of a replica     kept : [S, B, T, 3D]
@group(0) @binding(5) var<storage, read>       asked : array<f32>;
@group(0) @binding(6) var<storage, read_write> kept  : array<f32>;

fn keep(at : u32, x : f32) { kept[at] = x; }
