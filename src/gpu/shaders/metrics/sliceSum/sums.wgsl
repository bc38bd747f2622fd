// What sliceSum adds up of the 256 parameters of a workgroup: squares, its share of the losses of the step, and whether the
// replica was flagged before. The optimizer makes the norm from these itself: a dispatch in between would wait for one
// workgroup sixteen times in an update of PPO. Linked after sumOf64.wgsl.
//
// stats : [S, steps, 6] of coefficients     flags : [S]     sums : [S, ceil(size/256)] = Σg², policy loss, value loss, flagged

@group(0) @binding(3) var<storage, read>       stats : array<vec2f>;
@group(0) @binding(4) var<storage, read>       flags : array<u32>;
@group(0) @binding(5) var<storage, read_write> sums  : array<vec4f>;

fn keepSums(s : u32, group : u32, local : u32, g : vec4f) {
  let groups = (dims.size + 255u) / 256u;
  var losses = vec2f();
  for (var k = 64u * group + local; k < dims.steps; k += 64u * groups) { losses += stats[3u * (s * dims.steps + k)]; }
  let squares = g * g;
  let all = sumOf64(local, vec4f((squares.x + squares.y) + (squares.z + squares.w), losses, f32(flags[s] != 0u)));
  if (local == 0u) { sums[s * groups + group] = all; }
}
