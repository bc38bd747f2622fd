// What a set of numbers leaves behind in one pass: count, mean, squared distances from it, least and greatest; and what
// stands in `stats` [S, 4] in the end. Linked after tree.wgsl, in front of a kernel that says which numbers.

struct Sums { n : f32, mean : f32, squares : f32, low : f32, high : f32 }

fn merge(a : Sums, b : Sums) -> Sums {
  if (a.n == 0.0) { return b; }
  if (b.n == 0.0) { return a; }
  let n = a.n + b.n;
  let d = b.mean - a.mean;
  let squares = a.squares + b.squares + d * d * (a.n * b.n / n);
  return Sums(n, a.mean + d * (b.n / n), squares, min(a.low, b.low), max(a.high, b.high));
}

/// 1 if the set may not be compared, as in segmentStats.
fn isDegenerate(all : Sums) -> f32 {
  let spread = 1.0e-5 * max(1.0, max(abs(all.low), abs(all.high)));
  return select(0.0, 1.0, all.n < 2.0 || all.high - all.low <= spread);
}

/// Count, mean, sample std; or with `isRange` count, least, width.
fn told(all : Sums, isRange : bool) -> vec4f {
  if (isRange) { return vec4f(all.n, all.low, all.high - all.low, isDegenerate(all)); }
  return vec4f(all.n, all.mean, sqrt(all.squares / max(all.n - 1.0, 1.0)), isDegenerate(all));
}
