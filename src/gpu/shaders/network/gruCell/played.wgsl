// A step of episodes that are played: the first rows of x are those of the trajectories, and `now` is written. With `isLast` it
// follows the last one of its trajectory, and nothing else is. Linked into gruCell.wgsl, after everyStep.wgsl.
//
// length : [S, B]     now : [S, B·T, H]
@group(0) @binding(4) var<storage, read>       length : array<u32>;
@group(0) @binding(5) var<storage, read_write> now    : array<f32>;

fn placeOf(s : u32, i : u32) -> Place {
  let t = select(dims.t, length[s * dims.B + i], dims.isLast == 1u);
  return Place(true, t, stepAt(s, i, t), s * dims.B * dims.T + i);
}

fn keep(at : Place, k : u32, _held : f32, _gates : vec4f, h : f32) {
  now[at.x * dims.H + k] = h;
  if (dims.isLast == 0u) { after[at.step * dims.H + k] = h; }
}
