// Weights of a network of any widths.
// theta : [S, size]

@group(0) @binding(2) var<storage, read> theta : array<f32>;

fn weightAt(k : u32) -> f32 { return theta[k]; }
fn fourAt(k : u32) -> vec4f { return vec4f(theta[k], theta[k + 1u], theta[k + 2u], theta[k + 3u]); }
