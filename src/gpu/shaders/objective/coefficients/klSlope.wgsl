// Derivative by log π(a) of a sampled KL penalty, d = log π(a) − log π_ref(a): forms 2 k1, 3 k2, 4 k3, 5 |d|, and from
// 6 on those with the slope of k2. Forms 0 and 1 are exact and have none.

fn klSlope(form : f32, d : f32) -> f32 {
  if (form == 2.0) { return 1.0; }
  if (form == 3.0 || form > 5.0) { return d; }
  if (form == 4.0) { return select(1.0 - exp(-d), 0.0, abs(d) > 20.0); }
  // d is the difference of two logarithms, each good to 2⁻²¹: below that its sign means nothing
  if (form == 5.0) { return select(sign(d), 0.0, abs(d) < 1.0e-6); }
  return 0.0;
}
