// The norm of a gradient whose squares sliceSum has added up: every workgroup makes it from these sums, and the first one does
// what gradNorm does else. Only it raises flag 4, and none looks at the flags, which others may raise meanwhile: `sums` say
// what was flagged before. Linked after sumOf.wgsl.
//
// sums : [S, ceil(size/256)], see sums.wgsl     norms : [S, 2] = norm, sum over the optimizer steps; at lossesAt [S, 2] = policy
// loss, value loss, summed over optimizer steps

struct Dims {
  size : u32, k : u32, perReplica : u32, clipNorm : f32, p0 : f32, p1 : f32, p2 : f32, p3 : f32, lossesAt : u32,
}

@group(0) @binding(2) var<storage, read_write> norms : array<f32>;
@group(0) @binding(8) var<storage, read>       sums  : array<vec4f>;

fn normOf(s : u32, group : u32, local : u32) -> f32 {
  let groups = (dims.size + 255u) / 256u;
  var sum = vec4f();
  for (var k = local; k < groups; k += 64u) { sum += sums[s * groups + k]; }
  let all = sumOf(local, sum);
  let isFinite = (bitcast<u32>(all.x) & 0x7f800000u) != 0x7f800000u;
  let norm = select(-1.0, sqrt(all.x), isFinite && all.w == 0.0);
  if (group == 0u && local == 0u) {
    if (!isFinite && all.w == 0.0) { atomicStore(&flags[s], 4u); }
    norms[2u * s] = norm;
    if (isFinite) { norms[2u * s + 1u] += sqrt(all.x); }
    let at = dims.lossesAt + 2u * s;
    norms[at] += all.y;
    norms[at + 1u] += all.z;
  }
  return norm;
}
