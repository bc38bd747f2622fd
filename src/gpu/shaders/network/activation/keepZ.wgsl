// The numbers before the activation stay, for a slope that cannot be had from the ones after it.
@group(0) @binding(4) var<storage, read_write> Z : array<f32>;
fn keep(at : u32, z : f32) { Z[at] = z; }
