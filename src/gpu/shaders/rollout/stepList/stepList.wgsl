// Which steps a pass works on, in order of trajectory and time:
//   mode 0 all real steps, 1 step t of the trajectories that live (length 0), 2 real steps of trajectories with a weight,
//   3 the last step of every trajectory that has ended, 4 real steps of trajectory t among those with a weight
// One workgroup per replica: every invocation counts a stretch of trajectories, adds up what lies before it, and writes. In
// mode 4 trajectories with a weight are counted in the same way first.
//
// length : [S, B]     plan : [S, B, 2] = weight, length     list : [S, 2 + B·T] = how many, how many are done
// (0), then i·T + t of each

struct Dims { B : u32, T : u32, t : u32, mode : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       plan   : array<f32>;
@group(0) @binding(3) var<storage, read_write> list   : array<u32>;

var<workgroup> counts : array<u32, 256>;

/// The trajectory of the replica that mode 4 takes; B: there is none.
var<workgroup> taken : u32;

fn isWeighted(row : u32) -> bool { return plan[2u * row] != 0.0; }

fn stepsOf(row : u32) -> u32 {
  let n = length[row];
  if (dims.mode == 1u) { return select(0u, 1u, n == 0u); }
  if (dims.mode == 3u) { return min(n, 1u); }
  if (dims.mode == 4u) { return select(0u, n, row % dims.B == taken); }
  return select(n, 0u, dims.mode == 2u && !isWeighted(row));
}

/// What the invocations before this one have counted.
fn before(local : u32, count : u32) -> u32 {
  counts[local] = count;
  workgroupBarrier();
  var sum = 0u;
  for (var k = 0u; k < local; k++) { sum += counts[k]; }
  workgroupBarrier();
  return sum;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let stretch = (dims.B + 255u) / 256u;
  let from_ = min(local * stretch, dims.B);
  let to = min(from_ + stretch, dims.B);
  if (dims.mode == 4u) {
    if (local == 0u) { taken = dims.B; }
    var weighted = 0u;
    for (var i = from_; i < to; i++) { weighted += u32(isWeighted(s * dims.B + i)); }
    var rank = before(local, weighted);
    for (var i = from_; i < to; i++) {
      if (!isWeighted(s * dims.B + i)) { continue; }
      if (rank == dims.t) { taken = i; }
      rank++;
    }
    workgroupBarrier();
  }
  var count = 0u;
  for (var i = from_; i < to; i++) { count += stepsOf(s * dims.B + i); }
  let first = before(local, count);
  let start = s * (2u + dims.B * dims.T);
  if (local == 255u) {
    list[start] = first + count;
    list[start + 1u] = 0u;
  }
  var at = start + 2u + first;
  for (var i = from_; i < to; i++) {
    let n = stepsOf(s * dims.B + i);
    var t = 0u;
    if (dims.mode == 1u) { t = dims.t; }
    if (dims.mode == 3u && n > 0u) { t = length[s * dims.B + i] - 1u; }
    for (var k = 0u; k < n; k++) {
      list[at] = i * dims.T + t + k;
      at++;
    }
  }
}
