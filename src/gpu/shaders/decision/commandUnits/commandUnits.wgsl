// Decisions of every trajectory: how many words of its commands left a choice. One invocation per trajectory.
// Linked after command.wgsl and decided.wgsl.
//
// grammar : see command.wgsl     length : [S·B]     commands : [S·B, T], one token a byte     units : [S·B]

struct Dims { rows : u32, T : u32, J : u32, masked : u32, decisions : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       grammar  : array<u32>;
@group(0) @binding(2) var<storage, read>       length   : array<u32>;
@group(0) @binding(3) var<storage, read>       commands : array<u32>;
@group(0) @binding(4) var<storage, read_write> units    : array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = group.x * 64u + local;
  if (row >= dims.rows) { return; }
  var count = 0u;
  for (var t = 0u; t < length[row]; t++) { count += decidedWords(commands[row * dims.T + t]); }
  units[row] = count;
}
