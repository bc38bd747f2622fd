// fusedRollout.wgsl for wide networks: a workgroup plays eight trajectories, one invocation each, and all its invocations
// walk the layers together (sharedChain.wgsl). Weights are read once for eight trajectories; their activations stay in
// workgroup memory. Trajectories that have ended let their places go empty; with the last one the workgroup returns.
// Linked behind moves.wgsl, sharedChain.wgsl and decide.wgsl; buffers as in fusedRollout.wgsl.

struct Dims {
  B : u32, T : u32, words : u32, obsWords : u32, section : u32,
  assignAt : u32, endingAt : u32, lengthAt : u32,
  delay : u32, waiting : i32, rewardDelay : u32, rewardNoise : u32, obsNoise : u32,
  parts : u32, partBits : u32, partStride : u32, partStep : u32, spared : u32,
  rollAt : u32, probsAt : u32, floatSection : u32, actions : u32, n : u32, inverse : f32,
  size : u32, kind : u32, chunk : u32, from_ : u32, to : u32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       levels  : array<u32>;
@group(0) @binding(3) var<storage, read_write> state   : array<u32>;
@group(0) @binding(4) var<storage, read_write> obs     : array<u32>;
@group(0) @binding(5) var<storage, read_write> choice  : array<u32>;
@group(0) @binding(6) var<storage, read_write> result  : array<u32>;
@group(0) @binding(7) var<storage, read_write> sampled : array<f32>;
@group(0) @binding(8) var<storage, read_write> flags   : array<atomic<u32>>;

var<private> player : u32;
var<workgroup> isAnyone : bool;

fn logitOf(k : u32) -> f32 { return logits[2u * k + player / 4u][player & 3u]; }
fn isAnyPlaceTaken() -> bool {
  for (var k = 0u; k < PLAYERS; k++) { if (places[k] != NO_PLACE) { return true; } }
  return false;
}
fn keepProb(at : u32, p : f32) { sampled[dims.probsAt + at] = p; }

@compute @workgroup_size(GROUP)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let i = dims.from_ + group.x * PLAYERS + local;
  let row = s * dims.B + i;
  player = local;
  var plays = local < PLAYERS && i < dims.to;
  if (plays) { plays = lengthOf(row) == 0u; }
  var t = 0u;
  if (plays) { t = result[endingOf(row) + 3u]; }
  let seed = levels[dims.rollAt + 2u + s];
  for (var k = 0u; k < dims.chunk; k++) {
    plays = plays && t < dims.T;
    var legal = 0u;
    if (plays) { legal = look(row, t); }
    if (local < PLAYERS) { places[local] = select(NO_PLACE, obsAt(row, t), plays); }
    storageBarrier();
    workgroupBarrier();
    if (local == 0u) { isAnyone = isAnyPlaceTaken(); }
    if (!workgroupUniformLoad(&isAnyone)) { break; }
    sharedChain(s * dims.size, local);
    if (plays) {
      let u = uniform01(random(seed, levels[dims.rollAt], levels[dims.rollAt + 1u], i, t));
      let decision = decide(row * dims.T + t, legal, u);
      if (!decision.isFinite) { atomicMax(&flags[s], 1u); }
      t++;
      result[endingOf(row) + 3u] = t;
      if (advance(row, t - 1u, decision.action)) {
        for (var rest = t; rest < dims.T; rest++) { result[row * dims.T + rest] = 0u; }
        plays = false;
      }
    }
  }
}
