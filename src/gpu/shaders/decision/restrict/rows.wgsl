// What restrict.wgsl is bound to where the rows of a chunk decide. Linked after chunkRows.wgsl.
//
// rows : see chunkRows.wgsl     logits : [S, R, n]     grammar : see command.wgsl

struct Dims {
  B : u32, T : u32, R : u32, J : u32, n : u32, masked : u32, actions : u32, inverse : f32,
  p0 : f32, p1 : f32, p2 : f32, p3 : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       logits  : array<f32>;
@group(0) @binding(3) var<storage, read>       grammar : array<u32>;
