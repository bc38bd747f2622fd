// What the backward pass multiplies with: the slope of the activation that made the inputs of the layer.
// A : [S, maxRows, in], h for tanh and relu, z for gelu
@group(0) @binding(4) var<storage, read> A : array<f32>;
fn slopeAt(at : u32) -> f32 { return slope(A[at]); }
