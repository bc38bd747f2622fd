// A step while learning: x is that of all steps, and what the way back needs stays. Linked into gruCell.wgsl, after
// everyStep.wgsl or listedSteps.wgsl.
//
// before : [S, B·T, H] h_{t−1}     gates : [S, B·T, 4H] = r, z, g, u_n
@group(0) @binding(4) var<storage, read_write> before : array<f32>;
@group(0) @binding(5) var<storage, read_write> gates  : array<f32>;

fn placeOf(s : u32, i : u32) -> Place {
  let step = stepAt(s, i, dims.t);
  return Place(dims.t < stepsOf(s, i), dims.t, step, step);
}

fn keep(at : Place, k : u32, held : f32, gate : vec4f, h : f32) {
  let H = dims.H;
  let to = at.step * 4u * H + k;
  before[at.step * H + k] = held;
  gates[to] = gate.x;
  gates[to + H] = gate.y;
  gates[to + 2u * H] = gate.z;
  gates[to + 3u * H] = gate.w;
  after[at.step * H + k] = h;
}
