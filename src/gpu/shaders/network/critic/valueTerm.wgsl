// Loss of one value and its slope:
//
//   e = V − target     V_c = V_old + clamp(V − V_old, ±clip)     f(e) = ½e², with delta > 0 δ(|e| − ½δ) beyond |e| = δ
//   mode 0 f(e)     1 the larger of f(e) and f(V_c − target)     2 the mean of both
//
// Where the clamp is active the clipped branch has no slope. clip = 0: mode 0.

fn errorTerm(e : f32, delta : f32) -> vec2f {
  if (delta > 0.0 && abs(e) > delta) { return vec2f(delta * (abs(e) - 0.5 * delta), sign(e) * delta); }
  return vec2f(0.5 * e * e, e);
}

fn valueTerm(V : f32, old : f32, target_ : f32, clip : f32, mode : u32, delta : f32) -> vec2f {
  let free = errorTerm(V - target_, delta);
  let move_ = V - old;
  if (clip == 0.0 || mode == 0u || abs(move_) <= clip) { return free; }
  let held = errorTerm(old + clamp(move_, -clip, clip) - target_, delta).x;
  if (mode == 2u) { return 0.5 * vec2f(free.x + held, free.y); }
  return select(free, vec2f(held, 0.0), held > free.x);
}
