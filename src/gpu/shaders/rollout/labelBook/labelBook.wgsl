// A book of labels of messages for each replica: see contract/labelBook.ts. `labels`, one invocation per step:
//
//   y[row, t] = worth[N], N how often the row had this message before step t, where its label is 2, else 0
//
// `note`, one workgroup per replica, a lane for each row of its book: messages that no row holds get one in the order of rows and
// steps, those of steps that reached a milestone are marked, and the first `answers` without a label get it by that: 2 with a mark,
// 1 without, or the other one where chance says so.
//
// message : [S, B, T]     milestone : [S, B, 16], steps     length : [S, B]     worth : [T]     book : [S, 64, 3]

// wrong: draws up to this one are answered wrongly, where noisy is 1
struct Dims { rows : u32, B : u32, T : u32, answers : u32, noisy : u32, wrong : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       message   : array<f32>;
@group(0) @binding(2) var<storage, read>       milestone : array<f32>;
@group(0) @binding(3) var<storage, read>       length    : array<u32>;
@group(0) @binding(4) var<storage, read>       worth     : array<f32>;
@group(0) @binding(5) var<storage, read_write> book      : array<u32>;
@group(0) @binding(6) var<storage, read_write> y         : array<f32>;

const ROWS = 64u;
const MILESTONES = 16u;

fn labelOf(s : u32, name : u32) -> u32 {
  for (var r = s * ROWS; r < (s + 1u) * ROWS; r++) {
    if (book[3u * r] == name) { return book[3u * r + 1u]; }
  }
  return 0u;
}

@compute @workgroup_size(64)
fn labels(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let k = (group.x + group.y * 65535u) * 64u + local;
  if (k >= dims.rows * dims.T) { return; }
  let row = k / dims.T;
  y[k] = 0.0;
  if (k % dims.T >= length[row] || labelOf(row / dims.B, u32(message[k]) + 1u) != 2u) { return; }
  var n = 0u;
  for (var before = row * dims.T; before < k; before++) { n += select(0u, 1u, message[before] == message[k]); }
  y[k] = worth[n];
}

var<workgroup> names : array<u32, 64>;
var<workgroup> marks : array<atomic<u32>, 64>;
var<workgroup> first : atomic<u32>;
var<workgroup> begin : u32;

/// Row of the book that holds a message; 64: none.
fn rowOf(name : u32) -> u32 {
  for (var r = 0u; r < ROWS; r++) {
    if (names[r] == name) { return r; }
  }
  return ROWS;
}

@compute @workgroup_size(64)
fn note(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let own = 3u * (s * ROWS + local);
  let steps = dims.B * dims.T;
  names[local] = book[own];
  atomicStore(&marks[local], book[own + 2u]);
  if (local == 0u) { begin = 0u; }
  workgroupBarrier();
  // a round finds at most one new message; most batches have none, and their other rounds have nothing to look at
  for (var round = 0u; round < ROWS; round++) {
    if (local == 0u) { atomicStore(&first, steps); }
    workgroupBarrier();
    for (var k = begin + local; k < atomicLoad(&first); k += 64u) {
      let isReal = k % dims.T < length[s * dims.B + k / dims.T];
      if (isReal && rowOf(u32(message[s * steps + k]) + 1u) == ROWS) { atomicMin(&first, k); }
    }
    workgroupBarrier();
    if (local == 0u) {
      begin = atomicLoad(&first);
      let free = rowOf(0u);
      if (begin < steps && free < ROWS) { names[free] = u32(message[s * steps + begin]) + 1u; }
    }
    workgroupBarrier();
  }
  for (var m = local; m < dims.B * MILESTONES; m += 64u) {
    let row = s * dims.B + m / MILESTONES;
    let t = milestone[s * dims.B * MILESTONES + m];
    if (t < 0.0 || u32(t) >= length[row]) { continue; }
    let found = rowOf(u32(message[row * dims.T + u32(t)]) + 1u);
    if (found < ROWS) { atomicStore(&marks[found], 1u); }
  }
  workgroupBarrier();
  book[own] = names[local];
  book[own + 2u] = atomicLoad(&marks[local]);
  if (local > 0u) { return; }
  var answers = 0u;
  for (var r = 0u; r < ROWS && answers < dims.answers && names[r] != 0u; r++) {
    let at = 3u * (s * ROWS + r) + 1u;
    if (book[at] != 0u) { continue; }
    let isWrong = dims.noisy == 1u && random(0x6f6e69u, 0u, names[r], 0u, 0u) <= dims.wrong;
    book[at] = select(1u, 2u, (atomicLoad(&marks[r]) == 1u) != isWrong);
    answers++;
  }
}
