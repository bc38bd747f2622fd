// The average policy of a batch: entropy of the mean of π(·|o) over the real steps; of single steps the mean entropy as a
// share of the largest possible, the mean of that largest one, and the mean entropy at temperature 1, where π^temperature
// is proportional to the policy. Linked behind tree.wgsl and QUADS, a quarter of the actions. 30 steps of 5 actions in
// 4096 rows take 16 ms instead of 24 of one workgroup, 16,384 rows 62 instead of 500 (two cores of SwiftShader, loaded).
//
// probs : [S, B·T, actions]     length : [S, B]     choice : [S, B, T] legal bits, then sections that are not read
// sampled : [3][S, B, T], the second part is the entropy
// record : [S, 16] = entropy of the average policy, mean of H / log(legal actions), at 3 mean of log(legal actions), at 4
// mean entropy at temperature 1; the others are left alone

struct Dims { B : u32, lanes : u32, T : u32, actions : u32, floatSection : u32, temperature : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       probs   : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       choice  : array<u32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read_write> record  : array<f32>;

/// of steps: 1, share, most, plain entropy; and of actions: π
struct Sums { steps : vec4f, actions : array<vec4f, QUADS> }

fn merge(a : Sums, b : Sums) -> Sums {
  var both = a;
  both.steps += b.steps;
  for (var k = 0u; k < QUADS; k++) { both.actions[k] += b.actions[k]; }
  return both;
}

// entropy of p ∝ π^temperature = log Σ π^temperature − Σ p log π^temperature; what was impossible stays so
fn plainEntropy(at : u32) -> f32 {
  var z = 0.0;
  var dot = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    let p = probs[at + b];
    if (p > 0.0) {
      let l = dims.temperature * log(p);
      z += exp(l);
      dot += exp(l) * l;
    }
  }
  return log(z) - dot / z;
}

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  var now = sums;
  let row = s * dims.B + i;
  for (var t = 0u; t < length[row]; t++) {
    let id = row * dims.T + t;
    // without a mask of actions all 32 bits are set
    let legal = countOneBits(choice[id] & (0xffffffffu >> (32u - min(dims.actions, 32u))));
    let H = sampled[dims.floatSection + id];
    let most = log(f32(max(legal, 1u)));
    let plain = plainEntropy(id * dims.actions);
    now.steps += vec4f(1.0, select(0.0, H / log(f32(max(legal, 2u))), legal > 1u), most, plain);
    for (var b = 0u; b < dims.actions; b++) { now.actions[b >> 2u][b & 3u] += probs[id * dims.actions + b]; }
  }
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  var H = 0.0;
  for (var k = 0u; k < QUADS; k++) {
    let p = all.actions[k] / all.steps.x;
    for (var c = 0u; c < 4u; c++) { if (p[c] > 0.0) { H -= p[c] * log(p[c]); } }
  }
  record[s * 16u] = H;
  record[s * 16u + 1u] = all.steps.y / all.steps.x;
  record[s * 16u + 3u] = all.steps.z / all.steps.x;
  record[s * 16u + 4u] = all.steps.w / all.steps.x;
}
