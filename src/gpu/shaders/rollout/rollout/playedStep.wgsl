// A step of every trajectory whose network is dispatches of their own, for graphics devices: the decision, the world's move, and
// what is seen before the next step, which are three dispatches else (policyHead.wgsl, `step` and `observe` of rollout.wgsl). One
// invocation per trajectory. The step is dims.chunk; before the first one `observe` has looked. Linked after played.wgsl, moves.wgsl
// and decide.wgsl.
//
// out : [S, B·T, n], the first B rows of each replica

@group(0) @binding(2) var<storage, read> out : array<f32>;

fn logitAt(z : u32, c : u32) -> f32 { return out[z + c]; }

@compute @workgroup_size(64)
fn played(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let s = group.z;
  let row = s * dims.B + i;
  if (lengthOf(row) != 0u) { return; }
  let t = dims.chunk;
  let step = row * dims.T + t;
  let key = threefry(vec2u(levels[dims.rollAt + 2u + s], levels[dims.rollAt]), vec2u(levels[dims.rollAt + 1u], i));
  let decision = decide(step, (s * dims.B * dims.T + i) * dims.n, choice[step], Draw(key, t));
  if (!decision.isFinite) { atomicMax(&flags[s], 1u); }
  recall(row, t);
  if (!advance(row, t, decision.action)) {
    _ = look(row, t + 1u);
    return;
  }
  for (var rest = t + 1u; rest < dims.T; rest++) { result[row * dims.T + rest] = 0u; }
}
