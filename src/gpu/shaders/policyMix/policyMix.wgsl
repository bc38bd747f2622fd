// The average policy of a batch: entropy of the mean of π(·|o) over the real steps; of single steps the mean entropy as a
// share of the largest possible, the mean of that largest one, and the mean entropy at temperature 1, where π^temperature
// is proportional to the policy. One workgroup per replica, 256 partial sums and a fixed tree for each action.
//
// probs : [S, B·T, actions]     length : [S, B]     choice : [S, B, T] legal bits, then sections that are not read
// sampled : [3][S, B, T], the second part is the entropy
// record : [S, 16] = entropy of the average policy, mean of H / log(legal actions), at 3 mean of log(legal actions), at 4
// mean entropy at temperature 1; the others are left alone

struct Dims { B : u32, T : u32, actions : u32, floatSection : u32, temperature : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       probs   : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       choice  : array<u32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read_write> record  : array<f32>;

var<workgroup> partial : array<vec4f, 256>;

fn total(local : u32, x : vec4f) -> vec4f {
  workgroupBarrier();
  partial[local] = x;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { partial[local] += partial[local + half]; }
    workgroupBarrier();
  }
  return partial[0];
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

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let N = dims.B * dims.T;
  var mine = vec4f();
  for (var id = local; id < N; id += 256u) {
    if (id % dims.T >= length[s * dims.B + id / dims.T]) { continue; }
    // without a mask of actions all 32 bits are set
    let legal = countOneBits(choice[s * N + id] & (0xffffffffu >> (32u - min(dims.actions, 32u))));
    let H = sampled[dims.floatSection + s * N + id];
    let most = log(f32(max(legal, 1u)));
    let plain = plainEntropy((s * N + id) * dims.actions);
    mine += vec4f(1.0, select(0.0, H / log(f32(max(legal, 2u))), legal > 1u), most, plain);
  }
  let all = total(local, mine);
  var H = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    var sum = 0.0;
    for (var id = local; id < N; id += 256u) {
      if (id % dims.T < length[s * dims.B + id / dims.T]) { sum += probs[(s * N + id) * dims.actions + b]; }
    }
    let p = total(local, vec4f(sum, 0.0, 0.0, 0.0)).x / all.x;
    if (p > 0.0) { H -= p * log(p); }
  }
  if (local == 0u) {
    record[s * 16u] = H;
    record[s * 16u + 1u] = all.y / all.x;
    record[s * 16u + 3u] = all.z / all.x;
    record[s * 16u + 4u] = all.w / all.x;
  }
}
