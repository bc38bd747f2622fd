// The set of keep.wgsl where actions are written as commands, for every row of a chunk. Linked behind command.wgsl,
// commandProbs.wgsl and keep.wgsl; `restore` is that of topSet.wgsl. One invocation per row.
//
// rows, grammar, out : see commandHead

struct Dims {
  B : u32, T : u32, R : u32, J : u32, n : u32, masked : u32, actions : u32, minKeep : u32, topP : f32, inverse : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       out     : array<f32>;
@group(0) @binding(3) var<storage, read>       grammar : array<u32>;
@group(0) @binding(4) var<storage, read_write> choice  : array<u32>;
@group(0) @binding(5) var<storage, read_write> before  : array<u32>;
@group(0) @binding(6) var<storage, read_write> counts  : array<atomic<u32>>;

fn keepProb(action : u32, x : f32) { p[action] = x; }

/// Step i·T + t of row r of a chunk, or none.
fn stepOf(s : u32, r : u32) -> u32 {
  let start = s * (4u + 2u * dims.R);
  if (r >= rows[start]) { return NONE; }
  return rows[start + 4u + dims.R + r];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let r = group.x * 64u + local;
  let s = group.z;
  let at = stepOf(s, r);
  if (at == NONE) { return; }
  let step = s * dims.B * dims.T + at;
  for (var b = 0u; b < dims.actions; b++) { p[b] = 0.0; }
  eachProb((s * dims.R + r) * dims.n, choice[step]);
  narrow(s, step / dims.T, step);
}

@compute @workgroup_size(64)
fn restore(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let at = stepOf(s, group.x * 64u + local);
  if (at == NONE) { return; }
  let step = s * dims.B * dims.T + at;
  choice[step] = before[step / dims.T];
}
