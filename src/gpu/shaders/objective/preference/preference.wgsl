// Preference loss over all pairs of a success i⁺ and a failure i⁻ of one task, and its slope by the log-probabilities:
//
//   loss = mean of −log σ(q[i⁺] − q[i⁻])
//   plan[i] = ∂loss/∂log π_φ at every step of i, and its length                 0 everywhere without a pair
//
// Linked after tree.wgsl; `spread` is what follows. A trajectory looks at those of its own block of tasks only: 512 rows of
// 30 steps in groups of 8 take 0.3 ms with scores.wgsl instead of 8 where every row looked at all, 4096 rows 2 instead of
// 600 (two cores of SwiftShader).
//
// q : [S, B] of scores.wgsl     ending : [S, B, 4], the first number is 1 for a success     plan : [S, B, 2]
// record : [S, 8] = pairs, loss, share of pairs with q[i⁺] > q[i⁻] by more than rounding; the rest stays

// G: the rows of a task lie in one block of this many rows; B where they may lie anywhere
struct Dims { B : u32, lanes : u32, G : u32, beta : f32, mean : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       length    : array<u32>;
@group(0) @binding(2) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(3) var<storage, read>       ending    : array<u32>;
@group(0) @binding(4) var<storage, read>       q         : array<f32>;
@group(0) @binding(5) var<storage, read_write> plan      : array<f32>;
@group(0) @binding(6) var<storage, read_write> record    : array<f32>;

struct Sums { pairs : f32, loss : f32, ranked : f32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.pairs + b.pairs, a.loss + b.loss, a.ranked + b.ranked); }

fn isWin(row : u32) -> bool { return ending[4u * row] == 1u; }

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  var now = sums;
  let row = s * dims.B + i;
  let wins = isWin(row);
  let from_ = i / dims.G * dims.G;
  let end = s * dims.B + min(from_ + dims.G, dims.B);
  var slope = 0.0;
  for (var other = s * dims.B + from_; other < end; other++) {
    if (taskIndex[other] != taskIndex[row] || isWin(other) == wins) { continue; }
    let margin = select(q[other] - q[row], q[row] - q[other], wins);
    let doubt = 1.0 / (1.0 + exp(clamp(margin, -80.0, 80.0)));
    slope += select(doubt, -doubt, wins);
    if (wins) {
      now.pairs += 1.0;
      now.loss += max(-margin, 0.0) + log(1.0 + exp(-abs(margin)));
      now.ranked += select(0.0, 1.0, margin > 1.0e-5 * dims.beta);
    }
  }
  plan[2u * row] = slope;
  plan[2u * row + 1u] = f32(length[row]);
  return now;
}

fn scale(row : u32, pairs : f32) {
  let each = select(0.0, dims.beta / max(pairs, 1.0), pairs > 0.0);
  plan[2u * row] *= each / select(1.0, f32(length[row]), dims.mean == 1u);
}

fn finish(s : u32, local : u32, all : Sums) {
  if (dims.lanes == 64u) {
    for (var i = local; i < dims.B; i += 64u) { scale(s * dims.B + i, all.pairs); }
  }
  if (local != 0u) { return; }
  record[8u * s] = all.pairs;
  record[8u * s + 1u] = all.loss / max(all.pairs, 1.0);
  record[8u * s + 2u] = all.ranked / max(all.pairs, 1.0);
}

@compute @workgroup_size(64)
fn spread(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i < dims.B) { scale(group.z * dims.B + i, record[8u * group.z]); }
}
