// KL(played‖now) of a step as Σ p(δ − log(1 + δ)) with δ = (q − p)/p, which is Σ p log(p/q) + q − p: no term is negative, and
// where both nearly agree a series keeps what a difference of logarithms would lose. Linked into kernels that have
// `played` : [S, B, T, actions], `most` : [S] as bits of numbers that are not negative, and dims.actions.

/// π(a|o) of the policy that is compared
var<private> now : array<f32, 32>;

/// δ − log(1 + δ)
fn gap(d : f32) -> f32 {
  if (abs(d) >= 0.25) { return d - log(1.0 + d); }
  var sum = 0.0;
  for (var n = 10.0; n >= 2.0; n -= 1.0) { sum = 1.0 / n - d * sum; }
  return d * d * sum;
}

/// Actions that were not played count as illegal; q is held above 1e-30. Raises most[s] to |log q − log p| of any action
/// with p > 1e-30.
fn nearKl(s : u32, step : u32) -> f32 {
  var kl = 0.0;
  var far = 0.0;
  for (var a = 0u; a < dims.actions; a++) {
    let p = played[step * dims.actions + a];
    // what is smaller may count as 0, also in a division
    if (p >= 1.1754944e-38) {
      let q = max(now[a], 1.0e-30);
      let d = (q - p) / p;
      // 1 + δ would round to 0 where q is tiny
      let above = select(gap(d), d - log(q) + log(p), d < -0.5);
      kl += p * above;
      // where d is small, d − above is log(1 + δ) without the error of two logarithms
      if (p > 1.0e-30) { far = max(far, abs(select(log(q) - log(p), d - above, abs(d) < 0.25))); }
    }
  }
  atomicMax(&most[s], bitcast<u32>(far));
  return kl;
}
