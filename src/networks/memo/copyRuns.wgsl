// Y = X for `width` numbers in a row of every trajectory, that begin replica·xReplica + trajectory·xRow + xAt in X, and alike in Y.
// Where segment > 0 they begin (⌊length / segment⌋ − 1)·step later in X. One invocation per number; replicas in z.
//
// length : [S, B]     X, Y : of any shape

struct Dims {
  B : u32, width : u32, xReplica : u32, xRow : u32, xAt : u32, yReplica : u32, yRow : u32, yAt : u32, segment : u32, step : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       X      : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let b = id / dims.width;
  let k = id % dims.width;
  if (b >= dims.B) { return; }
  let s = group.z;
  var from_ = s * dims.xReplica + b * dims.xRow + dims.xAt + k;
  // who is in the first segment has no summary before it: any number will do
  if (dims.segment > 0u) { from_ += max(length[s * dims.B + b] / dims.segment, 1u) * dims.step - dims.step; }
  Y[s * dims.yReplica + b * dims.yRow + dims.yAt + k] = X[from_];
}
