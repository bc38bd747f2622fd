// The world's side of a rollout, linked after moves.wgsl, which says how the buffers are laid out. One invocation per
// trajectory; replicas in z.
//
//   start    clears length and ending, writes the first state: that of the level, or where beginsAt is not 0 a saved one
//            from [S, B, 1 + words] = is there one, its words; leaves rows alone whose turn begins at WAITS
//   turn     before `observe`: trajectories whose step t other weights play wait, the others live
//   observe  before step t < T: observation bits, key and legal actions; at t = T, of those that have ended: key and
//            observation of the last state (into slot T), rewards [S, B, T] and outcome [S, B] as f32 into `reals`; nobody
//            waits any more. One kernel for both: drivers take long to compile what an agent sees
//   step     lets the world move to t + 1; books reward and end
//   late     of a batch whose rows went on from others: what is only settled now, and those rewards again

struct Dims {
  S : u32, B : u32, T : u32, t : u32, words : u32, obsWords : u32, section : u32,
  assignAt : u32, endingAt : u32, finalKeyAt : u32, taskAt : u32, lengthAt : u32, turnAt : u32, beginsAt : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       levels : array<u32>;
@group(0) @binding(5) var<storage, read_write> choice : array<u32>;
@group(0) @binding(6) var<storage, read_write> result : array<u32>;
@group(0) @binding(7) var<storage, read_write> reals  : array<f32>;

/// Row of an invocation, or none.
fn trajectoryOf(group : vec3u, local : u32) -> u32 {
  let i = group.x * 64u + local;
  return select(0xffffffffu, group.z * dims.B + i, i < dims.B);
}

@compute @workgroup_size(64)
fn start(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = trajectoryOf(group, local);
  if (row == 0xffffffffu || turnFrom(row) == WAITS) { return; }
  result[dims.lengthAt + row] = 0u;
  for (var k = 0u; k < 4u; k++) { result[endingOf(row) + k] = 0u; }
  result[dims.taskAt + row] = levels[dims.assignAt + 4u * row + 1u];
  let saved = dims.beginsAt + row * (dims.words + 1u);
  if (dims.beginsAt == 0u || levels[saved] == 0u) {
    worldReset(levelOf(row), stateIn(row, 0u));
  } else {
    for (var k = 0u; k < dims.words; k++) { state[stateIn(row, 0u) + k] = levels[saved + 1u + k]; }
  }
  keepState(row, 0u);
}

@compute @workgroup_size(64)
fn turn(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = trajectoryOf(group, local);
  if (row == 0xffffffffu) { return; }
  if (lengthOf(row) != 0u && lengthOf(row) != WAITS) { return; }
  result[dims.lengthAt + row] = select(WAITS, 0u, turnFrom(row) <= dims.t && dims.t < turnTo(row));
}

@compute @workgroup_size(64)
fn observe(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = trajectoryOf(group, local);
  if (row == 0xffffffffu) { return; }
  let long = lengthOf(row);
  let isOver = dims.t == dims.T;
  if (!isOver && long != 0u) { return; }
  if (isOver && (long == 0u || long == WAITS)) {
    result[dims.lengthAt + row] = 0u;
    return;
  }
  let now = select(dims.t, long, isOver);
  let step = row * dims.T + dims.t;
  let at = stateIn(row, now);
  recallState(row, now);
  worldObserve(levelOf(row), at, obsIn(row, dims.t), seedOf(row), now);
  keepObs(row, dims.t);
  let key = worldKey(at);
  let keyAt = select(dims.section + 2u * step, dims.finalKeyAt + 2u * row, isOver);
  result[keyAt] = key.x;
  result[keyAt + 1u] = key.y;
  if (!isOver) {
    choice[step] = worldLegal(levelOf(row), at);
    return;
  }
  for (var t = 0u; t < dims.T; t++) {
    let played = row * dims.T + t;
    reals[played] = select(0.0, f32(bitcast<i32>(result[played])) * 0.001, t < long);
  }
  reals[dims.section + row] = f32(bitcast<i32>(result[endingOf(row) + 2u])) * 0.001;
}

@compute @workgroup_size(64)
fn step(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = trajectoryOf(group, local);
  if (row == 0xffffffffu) { return; }
  let now = row * dims.T + dims.t;
  if (lengthOf(row) != 0u) {
    if (dims.t >= lengthOf(row)) { result[now] = 0u; }
    return;
  }
  recall(row, dims.t);
  _ = advance(row, dims.t, choice[dims.section + now]);
}

@compute @workgroup_size(64)
fn late(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = trajectoryOf(group, local);
  if (row == 0xffffffffu || lengthOf(row) == 0u) { return; }
  let first = row * dims.T;
  lateSettle(first, lengthOf(row));
  for (var at = first; at < first + lengthOf(row); at++) { reals[at] = f32(bitcast<i32>(result[at])) * 0.001; }
}
