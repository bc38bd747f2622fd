// Returns in units of all returns so far: the batch is added to their count, mean and squares, then
//
//   R' = clamp((R − μ)/(σ + 1e-6), ±clip), 0 where all were equal     r' = R' at the last step, 0 before
//
// clip = 0: no clip. Linked after tree.wgsl; `spread` is what follows. Means and squares of two sets are put together as
// Chan et al. do, so that one pass over the rows is enough. 30 steps of 16,384 rows take 5.9 ms as those of one workgroup do,
// but in pieces where needed (two cores of SwiftShader, loaded).
//
// outcome, total : [S, B]     length : [S, B]     reward : [S, B, T]     known : [S, 3] = returns, their mean, Σ(R − μ)²

struct Dims { B : u32, lanes : u32, T : u32, clip : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       outcome : array<f32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read_write> known   : array<f32>;
@group(0) @binding(4) var<storage, read_write> reward  : array<f32>;
@group(0) @binding(5) var<storage, read_write> total   : array<f32>;

struct Sums { returns : f32, mean : f32, squares : f32 }

fn merge(a : Sums, b : Sums) -> Sums {
  let n = a.returns + b.returns;
  if (b.returns == 0.0) { return a; }
  let moved = b.mean - a.mean;
  let share = b.returns / n;
  return Sums(n, a.mean + moved * share, a.squares + b.squares + moved * moved * a.returns * share);
}

fn add(sums : Sums, s : u32, i : u32) -> Sums { return merge(sums, Sums(1.0, outcome[s * dims.B + i], 0.0)); }

fn knownOf(s : u32) -> Sums { return Sums(known[3u * s], known[3u * s + 1u], known[3u * s + 2u]); }

fn pay(row : u32, all : Sums) {
  let sigma = sqrt(all.squares / max(all.returns - 1.0, 1.0));
  let isFlat = sigma <= 1.0e-5 * max(1.0, abs(all.mean));
  var R = select((outcome[row] - all.mean) / (sigma + 1.0e-6), 0.0, isFlat);
  if (dims.clip > 0.0) { R = clamp(R, -dims.clip, dims.clip); }
  total[row] = R;
  for (var t = 0u; t < dims.T; t++) { reward[row * dims.T + t] = select(0.0, R, t + 1u == length[row]); }
}

fn finish(s : u32, local : u32, own : Sums) {
  let all = merge(knownOf(s), own);
  if (dims.lanes == 64u) {
    for (var i = local; i < dims.B; i += 64u) { pay(s * dims.B + i, all); }
  }
  // all have read what was known
  storageBarrier();
  if (local != 0u) { return; }
  known[3u * s] = all.returns;
  known[3u * s + 1u] = all.mean;
  known[3u * s + 2u] = all.squares;
}

@compute @workgroup_size(64)
fn spread(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i < dims.B) { pay(group.z * dims.B + i, knownOf(group.z)); }
}
