// One episode with given actions, with everything an environment says on the way; linked after random.wgsl and an
// environment's step.wgsl, to compare the two with golden walks. One invocation walks alone: the actions of an
// environment follow each other, and nothing here is meant to be fast.
//
// Row 0 is the first state, row t + 1 what action t led to; finished states go on being asked.
//
// levels : one packed level     actions : [steps], all ones = no command     state : [steps + 1, words]
// obs : [steps + 1, obsWords]     told : [steps + 1, 5] = reward in thousandths, flags, key high, key low, legal bits

struct Dims { steps : u32, words : u32, obsWords : u32, seed : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       levels  : array<u32>;
@group(0) @binding(2) var<storage, read>       actions : array<u32>;
@group(0) @binding(3) var<storage, read_write> state   : array<u32>;
@group(0) @binding(4) var<storage, read_write> obs     : array<u32>;
@group(0) @binding(5) var<storage, read_write> told    : array<u32>;

@compute @workgroup_size(1)
fn main() {
  envReset(0u, 0u);
  for (var row = 0u; row <= dims.steps; row++) {
    let at = row * dims.words;
    var result = EnvResult(0, 0u);
    if (row > 0u) {
      for (var w = 0u; w < dims.words; w++) { state[at + w] = state[at - dims.words + w]; }
      result = envStep(0u, at, actions[row - 1u], dims.seed);
    }
    envObserve(0u, at, row * dims.obsWords);
    let key = envKey(at);
    told[5u * row] = bitcast<u32>(result.reward);
    told[5u * row + 1u] = result.flags;
    told[5u * row + 2u] = key.x;
    told[5u * row + 3u] = key.y;
    told[5u * row + 4u] = envLegal(0u, at);
  }
}
