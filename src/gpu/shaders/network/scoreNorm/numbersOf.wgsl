// What a hidden layer reads: X [S, B·T, inputs].
@group(0) @binding(1) var<storage, read> X : array<f32>;

fn input(row : u32, t : u32, f : u32) -> f32 { return X[(row * dims.T + t) * dims.inputs + f]; }
