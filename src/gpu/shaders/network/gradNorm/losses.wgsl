// What gradNorm adds up by the way: the losses of an optimizer step, for the sums of the update. A dispatch of their own
// would wait for the one before it sixteen times in an update of PPO.
//
// stats : [S, steps, 6] of coefficients     losses : [S, 2] = policy loss, value loss, summed over optimizer steps

@group(0) @binding(4) var<storage, read>       stats  : array<vec2f>;
@group(0) @binding(5) var<storage, read_write> losses : array<f32>;

/// Those of every 256th step.
fn lossesOf(s : u32, local : u32) -> vec2f {
  var sum = vec2f();
  for (var k = local; k < dims.steps; k += 256u) { sum += stats[3u * (s * dims.steps + k)]; }
  return sum;
}

fn keepLosses(s : u32, all : vec2f) {
  losses[2u * s] += all.x;
  losses[2u * s + 1u] += all.y;
}
