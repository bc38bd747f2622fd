// Rows that go on from others before one of their steps, as a phase of a rollout adds them.
//
//   copy   the first steps of a column of the parent stand in the child too; one invocation per number of a row
//   begin  reward so far and first step of the child; one invocation per child
//
// forks : [rows, 3] = row of the child, of its parent, steps that they share; a child 0xffffffff is none
// x : copy: a column of `width` numbers per step, `entries` per row; with `more` 1 the entry behind the last shared step too
//     begin: the buffer of results, whose first words are rewards in thousandths [S, B, T]; from endingAt ending [S, B, 4]

struct Dims { rows : u32, entries : u32, width : u32, more : u32, T : u32, endingAt : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       forks : array<u32>;
@group(0) @binding(2) var<storage, read_write> x     : array<u32>;

const NONE = 0xffffffffu;

@compute @workgroup_size(64)
fn copy(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let each = dims.entries * dims.width;
  let k = id / each;
  if (k >= dims.rows || forks[3u * k] == NONE) { return; }
  let at = id - k * each;
  if (at >= (forks[3u * k + 2u] + dims.more) * dims.width) { return; }
  x[forks[3u * k] * each + at] = x[forks[3u * k + 1u] * each + at];
}

@compute @workgroup_size(64)
fn begin(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let k = (group.x + group.y * 65535u) * 64u + local;
  if (k >= dims.rows || forks[3u * k] == NONE) { return; }
  let row = forks[3u * k];
  let steps = forks[3u * k + 2u];
  var sum = 0;
  for (var t = 0u; t < steps; t++) { sum += bitcast<i32>(x[row * dims.T + t]); }
  x[dims.endingAt + 4u * row + 2u] = bitcast<u32>(sum);
  x[dims.endingAt + 4u * row + 3u] = steps;
}
