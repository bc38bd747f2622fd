// The world's side of a rollout, linked behind random.wgsl, an environment's step.wgsl and perturb.wgsl. One invocation
// per trajectory; replicas in z. A trajectory lives while length[row] is 0.
//
//   start    clears length and ending, writes the first state
//   observe  before step t: observation bits, key and legal actions
//   step     copies the state to t + 1 and lets the world move; books reward and end
//   finish   key and observation of the last state (into slot T), rewards and outcome as f32
//
// assign : [S, B, 4] = level offset, task, episode seed, level seed     state : [S, B, T+1, words]     obs : [S, B, T+1, obsWords]
// choice : [2][S, B, T] = legal bits, action     length : [S, B]     result : i32/u32 words, sections of `section` words:
//   0 reward in thousandths [S, B, T]   1 key high, low [S, B, T, 2] (two sections)   then ending [S, B, 4], final key [S, B, 2]
// Dims, last two rows: the perturbation (waiting = reward of a step in which nothing happens) and the parts of an
// observation, both for perturb.wgsl

struct Dims {
  S : u32, B : u32, T : u32, t : u32, words : u32, obsWords : u32, section : u32, endingAt : u32, finalKeyAt : u32, taskAt : u32,
  delay : u32, waiting : i32, rewardDelay : u32, rewardNoise : u32, obsNoise : u32,
  parts : u32, partBits : u32, partStride : u32, partStep : u32, spared : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       levels : array<u32>;
@group(0) @binding(2) var<storage, read>       assign : array<u32>;
@group(0) @binding(3) var<storage, read_write> state  : array<u32>;
@group(0) @binding(4) var<storage, read_write> obs    : array<u32>;
@group(0) @binding(5) var<storage, read_write> choice : array<u32>;
@group(0) @binding(6) var<storage, read_write> length : array<u32>;
@group(0) @binding(7) var<storage, read_write> result : array<u32>;
@group(0) @binding(8) var<storage, read_write> reals  : array<f32>;

fn rowOfGroup(group : vec3u, local : u32) -> u32 { return group.x * 64u + local; }
fn stateAt(row : u32, t : u32) -> u32 { return (row * (dims.T + 1u) + t) * dims.words; }
fn obsAt(row : u32, t : u32) -> u32 { return (row * (dims.T + 1u) + t) * dims.obsWords; }

@compute @workgroup_size(64)
fn start(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = rowOfGroup(group, local);
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  length[row] = 0u;
  for (var k = 0u; k < 4u; k++) { result[dims.endingAt + 4u * row + k] = 0u; }
  result[dims.taskAt + row] = assign[4u * row + 1u];
  worldReset(assign[4u * row], stateAt(row, 0u));
}

@compute @workgroup_size(64)
fn observe(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = rowOfGroup(group, local);
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  if (length[row] != 0u) { return; }
  let step = row * dims.T + dims.t;
  let at = stateAt(row, dims.t);
  worldObserve(assign[4u * row], at, obsAt(row, dims.t), assign[4u * row + 2u], dims.t);
  let key = worldKey(at);
  result[dims.section + 2u * step] = key.x;
  result[dims.section + 2u * step + 1u] = key.y;
  choice[step] = worldLegal(assign[4u * row], at);
}

@compute @workgroup_size(64)
fn step(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = rowOfGroup(group, local);
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  let now = row * dims.T + dims.t;
  if (length[row] != 0u) { result[now] = 0u; return; }
  let at = stateAt(row, dims.t);
  for (var k = 0u; k < dims.words; k++) { state[at + dims.words + k] = state[at + k]; }
  let seed = assign[4u * row + 2u];
  let r = worldStep(assign[4u * row], at + dims.words, choice[dims.section + now], seed);
  let reward = r.reward + noiseOf(seed, dims.t);
  result[now] = bitcast<u32>(reward);
  let ending = dims.endingAt + 4u * row;
  result[ending + 2u] = bitcast<u32>(bitcast<i32>(result[ending + 2u]) + reward);
  let ended = (r.flags & 1u) == 1u;
  if (ended || dims.t + 1u == dims.T) {
    length[row] = dims.t + 1u;
    result[ending] = (r.flags >> 2u) & 1u;
    result[ending + 1u] = select(0u, 1u, ended);
    payLate(row * dims.T, dims.t + 1u);
  }
}

@compute @workgroup_size(64)
fn finish(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = rowOfGroup(group, local);
  if (i >= dims.B) { return; }
  let row = group.z * dims.B + i;
  let last = stateAt(row, length[row]);
  let key = worldKey(last);
  result[dims.finalKeyAt + 2u * row] = key.x;
  result[dims.finalKeyAt + 2u * row + 1u] = key.y;
  worldObserve(assign[4u * row], last, obsAt(row, dims.T), assign[4u * row + 2u], length[row]);
  // reals: rewards [S, B, T] in the first section, then the outcome [S, B]
  for (var t = 0u; t < dims.T; t++) {
    let step = row * dims.T + t;
    reals[step] = select(0.0, f32(bitcast<i32>(result[step])) * 0.001, t < length[row]);
  }
  reals[dims.section + row] = f32(bitcast<i32>(result[dims.endingAt + 4u * row + 2u])) * 0.001;
}
