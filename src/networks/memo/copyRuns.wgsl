// Y = X for `width` numbers in a row of every trajectory that has a place in a block: from xAt on in its row of X, to yAt on in its
// row of Y. Which row that is, and whether it goes so far, say everyTrajectory.wgsl or listedTrajectories.wgsl, linked in front; what
// is not there is read as 0, and not written. With `byLength` they begin (⌊length / segment⌋ − 1)·segment entries of D numbers later
// in X. One invocation per number; replicas in z.
//
// length : [S, B]     X, Y : of any shape

struct Dims {
  B : u32, T : u32, t : u32, segment : u32, D : u32, width : u32, byLength : u32,
  xReplica : u32, xRow : u32, xAt : u32, xBy : u32, yReplica : u32, yRow : u32, yAt : u32, yBy : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       X      : array<f32>;
@group(0) @binding(3) var<storage, read_write> Y      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let s = group.z;
  let place = id / dims.width;
  let k = id % dims.width;
  if (place >= placesOf(s) || !isThere(s, place, dims.yBy, dims.yRow, dims.yAt + k)) { return; }
  var from_ = rowAt(s, place, dims.xBy, dims.xReplica, dims.xRow) + dims.xAt + k;
  // who is in the first segment has no summary before it: any number will do
  if (dims.byLength == 1u) { from_ += (max(length[s * dims.B + place] / dims.segment, 1u) - 1u) * dims.segment * dims.D; }
  var x = 0.0;
  if (isThere(s, place, dims.xBy, dims.xRow, dims.xAt + k)) { x = X[from_]; }
  Y[rowAt(s, place, dims.yBy, dims.yReplica, dims.yRow) + dims.yAt + k] = x;
}
