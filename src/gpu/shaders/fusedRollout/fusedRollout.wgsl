// Up to `chunk` steps of every trajectory in one dispatch: look, network, decision, the world’s move. One invocation per trajectory,
// because worlds do not wait for each other; trajectories that have ended return at once. Linked behind moves.wgsl,
// chain.wgsl and decide.wgsl, whose headers say how the buffers are laid out; behind the tasks in `levels` lie, from
// rollAt, the purpose of the draws, the update, and the seed of each replica. Each trajectory goes on where it is
// (ending, word 3), so that the same dispatch does the next chunk, and the next. Between `start` and `finish` of rollout.wgsl.
//
// sampled : [3][S, B, T] log-probability, entropy, value, then from probsAt [S, B, T, actions]     flags : [S]

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

fn logitOf(k : u32) -> f32 { return chainOut[k]; }
fn keepProb(at : u32, p : f32) { sampled[dims.probsAt + at] = p; }

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = dims.from_ + group.x * 32u + local;
  if (i >= dims.to) { return; }
  let s = group.z;
  let row = s * dims.B + i;
  if (lengthOf(row) != 0u) { return; }
  let first = result[endingOf(row) + 3u];
  let end = min(first + dims.chunk, dims.T);
  let seed = levels[dims.rollAt + 2u + s];
  for (var t = first; t < end; t++) {
    let legal = look(row, t);
    chain(obsAt(row, t), s * dims.size);
    let u = uniform01(random(seed, levels[dims.rollAt], levels[dims.rollAt + 1u], i, t));
    let decision = decide(row * dims.T + t, legal, u);
    if (!decision.isFinite) { atomicMax(&flags[s], 1u); }
    if (advance(row, t, decision.action)) {
      for (var k = t + 1u; k < dims.T; k++) { result[row * dims.T + k] = 0u; }
      break;
    }
  }
  result[endingOf(row) + 3u] = end;
}
