// What the way back needs of a step stays. Linked into gruCell.wgsl with learned.wgsl, and into gruWalk.wgsl, after everyStep.wgsl
// or listedSteps.wgsl.
//
// before : [S, B·T, H] h_{t−1}     gates : [S, B·T, 4H] = r, z, g, u_n
@group(0) @binding(4) var<storage, read_write> before : array<f32>;
@group(0) @binding(5) var<storage, read_write> gates  : array<f32>;

fn keepStep(step : u32, k : u32, held : f32, gate : vec4f, h : f32) {
  let to = step * 4u * dims.H + k;
  before[step * dims.H + k] = held;
  gates[to] = gate.x;
  gates[to + dims.H] = gate.y;
  gates[to + 2u * dims.H] = gate.z;
  gates[to + 3u * dims.H] = gate.w;
  after[step * dims.H + k] = h;
}
