// fusedRollout.wgsl for wide networks: a workgroup plays eight trajectories, one invocation each, and all its invocations
// walk the layers together (sharedChain.wgsl). Weights are read once for eight trajectories; their activations stay in
// workgroup memory. Trajectories that have ended let their places go empty; with the last one the workgroup returns.
// For layers up to 256 on devices where products through workgroup memory are the faster ones (src/gpu/tune.ts); when it
// pays off for layers that fit one invocation, with numbers: src/engine/gpu/rolloutList.ts. On an adapter that runs shaders on
// the CPU, where barriers are ruinous, dispatches step by step are 10 times as fast (128-128, 64 episodes, 30 steps; 14 times
// with 512), and it is never chosen there.
// Linked after played.wgsl, moves.wgsl, sharedChain.wgsl, nearLevels.wgsl or farLevels.wgsl, and decide.wgsl.

var<private> player : u32;
var<workgroup> isAnyone : bool;

fn logitAt(z : u32, c : u32) -> f32 { return logits[PLAYERS * c + player]; }
fn isAnyPlaceTaken() -> bool {
  for (var k = 0u; k < PLAYERS; k++) { if (places[k] != NO_PLACE) { return true; } }
  return false;
}

@compute @workgroup_size(GROUP)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let i = dims.from_ + group.x * PLAYERS + local;
  let row = s * dims.B + i;
  player = local;
  var plays = local < PLAYERS && i < dims.to;
  if (plays) { plays = lengthOf(row) == 0u; }
  var t = 0u;
  var end = 0u;
  if (plays) {
    t = result[endingOf(row) + 3u];
    end = turnTo(row);
    recall(row, t);
  }
  if (local < PLAYERS) { places[local] = select(NO_PLACE, kept.levelAt, plays); }
  bringLevels(local);
  kept.levelAt = levelIn(kept.levelAt);
  let key = threefry(vec2u(levels[dims.rollAt + 2u + s], levels[dims.rollAt]), vec2u(levels[dims.rollAt + 1u], i));
  for (var k = 0u; k < dims.chunk; k++) {
    plays = plays && t < end;
    var legal = 0u;
    if (plays) { legal = look(row, t); }
    if (local < PLAYERS) { places[local] = select(NO_PLACE, obsIn(row, t), plays); }
    storageBarrier();
    workgroupBarrier();
    if (local == 0u) { isAnyone = isAnyPlaceTaken(); }
    if (!workgroupUniformLoad(&isAnyone)) { break; }
    sharedChain(s * dims.size, local);
    if (plays) {
      let decision = decide(row * dims.T + t, 0u, legal, Draw(key, t));
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
