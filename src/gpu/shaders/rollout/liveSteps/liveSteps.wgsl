// The rows that a pass over a batch works on: real steps of trajectories with a weight, in order of trajectory and time;
// with `all` those of the others too; statistics of steps that are not in the list become 0. One workgroup per replica counts:
// every invocation a stretch of trajectories, and it adds up what lies before it. Then every step takes its place: in `main`
// by the same workgroup, which does for a small batch, else after `count` in `spread`, one invocation per step.
//
// plan : [S, B, 2] = weight, length     stats : [S, B·T, 6]
// rows : [S, 4 + 2B + B·T] = how many, 0, 0, 0, weight of each trajectory as bits, place of its first step, then for every
//        row i·(T + 1) + t, the place of its observation

struct Dims { B : u32, T : u32, all : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       plan  : array<f32>;
@group(0) @binding(2) var<storage, read_write> rows  : array<u32>;
@group(0) @binding(3) var<storage, read_write> stats : array<f32>;

var<workgroup> counts : array<u32, 256>;

fn stepsOf(row : u32) -> u32 { return select(u32(plan[2u * row + 1u]), 0u, dims.all == 0u && plan[2u * row] == 0.0); }

fn startOf(s : u32) -> u32 { return s * (4u + 2u * dims.B + dims.B * dims.T); }

/// Counts the steps of a replica, and puts weights and places of its trajectories into their list.
fn begin(s : u32, local : u32) {
  let stretch = (dims.B + 255u) / 256u;
  let from_ = min(local * stretch, dims.B);
  let to = min(from_ + stretch, dims.B);
  var n = 0u;
  for (var i = from_; i < to; i++) { n += stepsOf(s * dims.B + i); }
  counts[local] = n;
  workgroupBarrier();
  var at = 0u;
  for (var k = 0u; k < local; k++) { at += counts[k]; }
  let start = startOf(s);
  if (local == 255u) { rows[start] = at + n; }
  for (var i = from_; i < to; i++) {
    rows[start + 4u + i] = bitcast<u32>(plan[2u * (s * dims.B + i)]);
    rows[start + 4u + dims.B + i] = at;
    at += stepsOf(s * dims.B + i);
  }
}

fn put(s : u32, id : u32) {
  let i = id / dims.T;
  let t = id % dims.T;
  if (t < stepsOf(s * dims.B + i)) {
    let start = startOf(s) + 4u + dims.B;
    rows[start + dims.B + rows[start + i] + t] = id + i;
  } else {
    for (var k = 0u; k < 6u; k++) { stats[6u * (s * dims.B * dims.T + id) + k] = 0.0; }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  begin(group.z, local);
  storageBarrier();
  for (var id = local; id < dims.B * dims.T; id += 256u) { put(group.z, id); }
}

@compute @workgroup_size(256)
fn count(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) { begin(group.z, local); }

@compute @workgroup_size(64)
fn spread(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id < dims.B * dims.T) { put(group.z, id); }
}
