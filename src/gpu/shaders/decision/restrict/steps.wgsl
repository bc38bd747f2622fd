// What restrict.wgsl is bound to where every trajectory decides step t. Linked after atStep.wgsl.
//
// logits : [S, maxRows, n], row = trajectory     length : [S, B], 0 while it goes on

struct Dims {
  B : u32, T : u32, t : u32, actions : u32, n : u32, maxRows : u32, inverse : f32, p0 : f32, p1 : f32, p2 : f32, p3 : f32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       logits : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
