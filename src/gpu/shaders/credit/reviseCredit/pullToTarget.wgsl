// Credit pulled toward the virtual target policy of DCPO (arXiv 2601.12730):
//
//   A' = (1 − α)A + α·[success]·ϱ     ϱ = π^(τ)(a) / π(a)     π^(τ) ∝ π^(1/τ)
//   τ = 1.2 while H ≤ H₀, else 0.8     α = α₀/(1 + α₀)     α₀ = min(|H₀ − H|, 0.1) / p
//
// with the mean entropy H and the share p of successful trajectories of the batch; α = 0 where none succeeded. Linked after
// tree.wgsl; `spread` is what follows. Padding stays. 30 steps of 16,384 rows take 49 ms as those of one workgroup do, but
// in pieces where needed (two cores of SwiftShader, loaded).
//
// credit : sections, the first is A [S, B, T]     ending : [S, B, 4], the first number is success
// sampled : sections, the second is the entropy     choice : sections, the second is the action     probs : [S, B, T, actions]

struct Dims { B : u32, lanes : u32, T : u32, actions : u32, section : u32, target_ : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       length  : array<u32>;
@group(0) @binding(2) var<storage, read>       ending  : array<u32>;
@group(0) @binding(3) var<storage, read>       sampled : array<f32>;
@group(0) @binding(4) var<storage, read>       choice  : array<u32>;
@group(0) @binding(5) var<storage, read>       probs   : array<f32>;
@group(0) @binding(6) var<storage, read_write> credit  : array<f32>;

struct Sums { entropy : f32, steps : f32, wins : f32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.entropy + b.entropy, a.steps + b.steps, a.wins + b.wins); }

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  let row = s * dims.B + i;
  var now = sums;
  for (var t = 0u; t < length[row]; t++) { now.entropy += sampled[dims.section + row * dims.T + t]; }
  now.steps += f32(length[row]);
  now.wins += f32(ending[4u * row]);
  return now;
}

/// ϱ of the action that was taken in step k.
fn targetRatio(k : u32, tau : f32) -> f32 {
  var total = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    let p = probs[k * dims.actions + b];
    if (p > 0.0) { total += exp(log(p) / tau); }
  }
  let p = probs[k * dims.actions + choice[dims.section + k]];
  return exp(log(p) / tau) / total / p;
}

fn pull(row : u32, all : Sums) {
  let H = all.entropy / all.steps;
  let tau = select(0.8, 1.2, H <= dims.target_);
  var alpha = 0.0;
  if (all.wins > 0.0) {
    let raw = min(abs(dims.target_ - H), 0.1) * f32(dims.B) / all.wins;
    alpha = raw / (1.0 + raw);
  }
  let isWon = ending[4u * row] == 1u;
  for (var t = 0u; t < length[row]; t++) {
    let k = row * dims.T + t;
    var A = (1.0 - alpha) * credit[k];
    if (isWon) { A += alpha * targetRatio(k, tau); }
    credit[k] = A;
  }
}

fn finish(s : u32, local : u32, all : Sums) {
  if (dims.lanes == 64u) {
    for (var i = local; i < dims.B; i += 64u) { pull(s * dims.B + i, all); }
  }
  // all have read what the lanes had
  storageBarrier();
  if (dims.lanes > 64u && local == 0u) { parts[s * dims.lanes] = all; }
}

@compute @workgroup_size(64)
fn spread(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i < dims.B) { pull(group.z * dims.B + i, parts[group.z * dims.lanes]); }
}
