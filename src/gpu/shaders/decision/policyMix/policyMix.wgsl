// The average policy of a batch: entropy of the mean of π(·|o) over the real steps; of single steps the mean entropy as a
// share of the largest possible, the mean of that largest one, and the mean entropy at temperature 1, where π^temperature
// is proportional to the policy. Where a step may have several units the share is one of units, the largest entropy is
// summed over those of a step, and the last number is left out. Linked with tree.wgsl, steps.wgsl, a tree of units with its columns,
// and QUADS, a quarter of the actions. 30 steps of 5 actions in 4096 rows take 16 ms instead of 24 of one workgroup, 16,384
// rows 62 instead of 500 (two cores of SwiftShader, loaded).
//
// probs : [S, B·T, actions]     length : [S, B]     choice, sampled : as the head writes them
// record : [S, 16] = entropy of the average policy, mean of H / log(legal choices), at 3 mean of log(legal choices), at 4
// mean entropy at temperature 1; the others are left alone

@group(0) @binding(1) var<storage, read>       probs   : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       choice  : array<u32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read_write> record  : array<f32>;

/// The least normal number: the logarithm of a smaller one may be that of 0.
const LEAST = 1.1754944e-38;

/// of steps: how many, share, most, and plain entropy or the number of their units; and of actions: π
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
    if (p >= LEAST) {
      let l = dims.temperature * log(p);
      z += exp(l);
      dot += exp(l) * l;
    }
  }
  return log(z) - dot / z;
}

fn add(s : u32, i : u32, from_ : u32, by : u32) -> Sums {
  var now = Sums();
  let row = s * dims.B + i;
  for (var t = from_; t < length[row]; t += by) {
    let id = row * dims.T + t;
    var j = 0u;
    for (var k = 0u; k < unitsMost(); k++) {
      let c = slotOf(j, choice[writtenAt(id)]);
      if (c == NONE) { break; }
      let legal = legalSlots(j, choice[id]);
      if (SEVERAL) { now.steps.w += 1.0; }
      // a unit without a choice counts as 0
      if (legal > 1u) {
        let most = log(f32(legal));
        now.steps.y += sampled[unitEntropyAt(id) + k] / most;
        now.steps.z += most;
      }
      if (slotNext(c) == NONE) { break; }
      j = slotNext(c);
    }
    if (!SEVERAL) { now.steps.w += plainEntropy(id * dims.actions); }
    for (var b = 0u; b < dims.actions; b++) { now.actions[b >> 2u][b & 3u] += probs[id * dims.actions + b]; }
  }
  return now;
}

fn whole(sums : Sums, s : u32, i : u32) -> Sums {
  var now = sums;
  now.steps.x = f32(length[s * dims.B + i]);
  return now;
}

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  var H = 0.0;
  for (var k = 0u; k < QUADS; k++) {
    let p = all.actions[k] / all.steps.x;
    for (var c = 0u; c < 4u; c++) { if (p[c] >= LEAST) { H -= p[c] * log(p[c]); } }
  }
  record[s * 16u] = H;
  record[s * 16u + 1u] = all.steps.y / select(all.steps.x, all.steps.w, SEVERAL);
  record[s * 16u + 3u] = all.steps.z / all.steps.x;
  if (!SEVERAL) { record[s * 16u + 4u] = all.steps.w / all.steps.x; }
}
