/// ρ − 1 − log ρ of a log-ratio that is held within ±20. It cancels for small ones: there its series is used.
fn excessOf(held : f32) -> f32 {
  if (abs(held) < 0.01) { return held * held * (0.5 + held * (0.16666667 + held * 0.041666667)); }
  return exp(held) - 1.0 - held;
}
