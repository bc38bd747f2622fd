// Lists for every segment which trajectories of a list of live steps (places.wgsl) have steps there, in order. One workgroup per
// segment, replicas in z. startOf.wgsl and gruCell/listedSteps.wgsl are linked in front.
//
// live : [S, segments·(2 + 3B)] = how many trajectories each segment has, how many tokens their blocks have, then of each of those in
//        each segment, with room for B: the trajectory, the place of its first step in the list, its steps

struct Dims { B : u32, T : u32, segment : u32, summary : u32, segments : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read_write> live : array<u32>;

var<workgroup> counts : array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let k = group.x;
  let first = k * dims.segment;
  let stretch = (dims.B + 63u) / 64u;
  let from_ = min(local * stretch, dims.B);
  let to = min(from_ + stretch, dims.B);
  var n = 0u;
  for (var i = from_; i < to; i++) { n += u32(stepsOf(s, i) > first); }
  counts[local] = n;
  workgroupBarrier();
  var at = 0u;
  for (var j = 0u; j < local; j++) { at += counts[j]; }
  let start = s * dims.segments * (2u + 3u * dims.B);
  if (local == 63u) {
    // a summary before all segments but the first, and one of all but the last
    let summaries = dims.summary * (2u - u32(k == 0u) - u32(k + 1u == dims.segments));
    live[start + k] = at + n;
    live[start + dims.segments + k] = (at + n) * (summaries + min(dims.segment, dims.T - first));
  }
  for (var i = from_; i < to; i++) {
    let steps = stepsOf(s, i);
    if (steps <= first) { continue; }
    let to_ = start + 2u * dims.segments + 3u * (k * dims.B + at);
    live[to_] = i;
    live[to_ + 1u] = rows[firstAt(s, i)];
    live[to_ + 2u] = steps;
    at++;
  }
}
