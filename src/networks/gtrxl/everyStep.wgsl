// All steps of all episodes ask: what they read is what they have asked with.
// asked, kept : [S, maxRows, 3D]
@group(0) @binding(5) var<storage, read> asked : array<f32>;
@group(0) @binding(6) var<storage, read> kept  : array<f32>;

fn keep(_at : u32, _x : f32) {}
