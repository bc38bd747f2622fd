// The bits of an observation as numbers: those of the board, cell by cell, and those behind it. One invocation per (row, bit).
//
// Rows as in sparseForward.wgsl, or those of a list (listedBits.wgsl).
//
// bits : u32 words     X : [S, maxRows, cells, planes]
// flat : [S, maxRows, inputs], of which the numbers from `restAt` on are bits on no cell

struct Dims {
  rows : u32, maxRows : u32, features : u32, cells : u32, planes : u32, inputs : u32, restAt : u32,
  B : u32, inner : u32, outerStride : u32, innerStride : u32, base : u32, stride : u32,
}

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       bits : array<u32>;
@group(0) @binding(2) var<storage, read_write> X    : array<f32>;
@group(0) @binding(3) var<storage, read_write> flat : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  if (id >= rowsOf(s) * dims.features) { return; }
  let r = id / dims.features;
  let f = id % dims.features;
  let bit = f32((bits[bitsOf(s, r) + (f >> 5u)] >> (f & 31u)) & 1u);
  let row = s * dims.maxRows + r;
  let onBoard = dims.cells * dims.planes;
  if (f < onBoard) { X[(row * dims.cells + f % dims.cells) * dims.planes + f / dims.cells] = bit; }
  else { flat[row * dims.inputs + dims.restAt + f - onBoard] = bit; }
}
