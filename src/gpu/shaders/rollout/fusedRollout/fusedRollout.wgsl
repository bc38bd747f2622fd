// Up to `chunk` steps of every trajectory in one dispatch: look, network, decision, the world’s move. One invocation per trajectory,
// because worlds do not wait for each other; trajectories that have ended return at once. Where it pays off, with numbers:
// src/gpu/tune.ts. Linked after played.wgsl, moves.wgsl, chain.wgsl and decide.wgsl. Between `start` and the last `observe` of
// rollout.wgsl.

fn logitAt(z : u32, c : u32) -> f32 { return chainOut[c]; }

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = dims.from_ + group.x * 32u + local;
  if (i >= dims.to) { return; }
  let s = group.z;
  let row = s * dims.B + i;
  if (lengthOf(row) != 0u) { return; }
  let first = result[endingOf(row) + 3u];
  if (first >= turnTo(row)) { return; }
  let end = min(first + dims.chunk, turnTo(row));
  let key = threefry(vec2u(levels[dims.rollAt + 2u + s], levels[dims.rollAt]), vec2u(levels[dims.rollAt + 1u], i));
  recall(row, first);
  for (var t = first; t < end; t++) {
    let legal = look(row, t);
    chain(obsIn(row, t), s * dims.size);
    let decision = decide(row * dims.T + t, 0u, legal, Draw(key, t));
    if (!decision.isFinite) { atomicMax(&flags[s], 1u); }
    if (advance(row, t, decision.action)) {
      for (var k = t + 1u; k < dims.T; k++) { result[row * dims.T + k] = 0u; }
      break;
    }
  }
  result[endingOf(row) + 3u] = end;
}
