// What a dispatch that ends a gradient adds up of the parameters of each of its `groups`: squares, a share of the losses of the
// step, and whether the replica was flagged before. The optimizer makes the norm from these itself: a dispatch in between would
// wait for one workgroup sixteen times in an update of PPO. Linked after sumOf.wgsl.
//
// stats : [S, steps, 6] of coefficients     flags : [S]     sums : [S, ceil(size/256)] = Σg², policy loss, value loss, flagged

@group(0) @binding(7) var<storage, read>       stats : array<vec2f>;
@group(0) @binding(8) var<storage, read>       flags : array<u32>;
@group(0) @binding(9) var<storage, read_write> sums  : array<vec4f>;

fn keepSums(s : u32, group : u32, groups : u32, local : u32, steps : u32, squares : f32) {
  var losses = vec2f();
  for (var k = SUMMED * group + local; k < steps; k += SUMMED * groups) { losses += stats[3u * (s * steps + k)]; }
  let all = sumOf(local, vec4f(squares, losses, f32(flags[s] != 0u)));
  if (local == 0u) { sums[s * ((dims.size + 255u) / 256u) + group] = all; }
}
