// Weights of a network whose hidden widths are multiples of four: rows are read four numbers at a time.
// theta : [S, size]

@group(0) @binding(2) var<storage, read> theta : array<vec4f>;

fn weightAt(k : u32) -> f32 { return theta[k >> 2u][k & 3u]; }
fn fourAt(k : u32) -> vec4f { return theta[k >> 2u]; }
