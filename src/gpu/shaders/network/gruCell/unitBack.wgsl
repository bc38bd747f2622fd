// What a step of a gated recurrent unit is blamed for, see gruCellBackward.wgsl, which is linked after this as gruWalkBackward.wgsl is.

@group(0) @binding(2) var<storage, read>       gates  : array<f32>;
@group(0) @binding(3) var<storage, read>       before : array<f32>;
@group(0) @binding(5) var<storage, read_write> dX     : array<f32>;
@group(0) @binding(6) var<storage, read_write> dU     : array<f32>;

/// Writes ∂x and ∂u of number k where ∂h is d; returns ∂u.
fn blame(step : u32, k : u32, d : f32) -> vec3f {
  let H = dims.H;
  let r = gates[step * 4u * H + k];
  let z = gates[step * 4u * H + H + k];
  let g = gates[step * 4u * H + 2u * H + k];
  let dg = d * (1.0 - z) * (1.0 - g * g);
  let dz = d * (before[step * H + k] - g) * z * (1.0 - z);
  let dr = dg * gates[step * 4u * H + 3u * H + k] * r * (1.0 - r);
  let to = step * 3u * H + k;
  dX[to] = dr;
  dX[to + H] = dz;
  dX[to + 2u * H] = dg;
  dU[to] = dr;
  dU[to + H] = dz;
  dU[to + 2u * H] = dg * r;
  return vec3f(dr, dz, dg * r);
}
