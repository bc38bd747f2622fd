// Global norm of each replica's gradient, by 256 partial sums and a fixed tree. Raises flag 4 (objective) when it is not
// finite, and adds it to the sum of norms of this update. A replica that is flagged gets the norm −1: the optimizer
// leaves it alone. It must not look at the flags itself, which its own invocations may raise while others still run.
// One workgroup per replica. `main` reads the gradient, `ofSums` what squareSums has made of a long one. Linked after
// losses.wgsl, which adds up the losses of the step by the way, or noLosses.wgsl.
//
// gradient : [S, size/4], or sums of its squares     norms : [S, 2] = norm, sum over the optimizer steps     flags : [S]
// steps: of a replica, whose losses are added up

struct Dims { size : u32, steps : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       gradient : array<vec4f>;
@group(0) @binding(2) var<storage, read_write> norms    : array<f32>;
@group(0) @binding(3) var<storage, read_write> flags    : array<atomic<u32>>;

/// square, and both losses
var<workgroup> partial : array<vec3f, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let size4 = dims.size / 4u;
  var sum = vec4f();
  for (var k = local; k < size4; k += 256u) {
    let g = gradient[group.z * size4 + k];
    sum += g * g;
  }
  finish(group.z, local, sum);
}

@compute @workgroup_size(256)
fn ofSums(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let size4 = dims.size / 4u;
  var sum = vec4f();
  for (var k = local; k < size4; k += 256u) { sum += gradient[group.z * size4 + k]; }
  finish(group.z, local, sum);
}

fn finish(s : u32, local : u32, sum : vec4f) {
  partial[local] = vec3f((sum.x + sum.y) + (sum.z + sum.w), lossesOf(s, local));
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { partial[local] += partial[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) {
    let all = partial[0];
    let norm = sqrt(all.x);
    let isFinite = (bitcast<u32>(all.x) & 0x7f800000u) != 0x7f800000u;
    if (!isFinite && atomicLoad(&flags[s]) == 0u) { atomicStore(&flags[s], 4u); }
    norms[2u * s] = select(norm, -1.0, atomicLoad(&flags[s]) != 0u);
    if (isFinite) { norms[2u * s + 1u] += norm; }
    keepLosses(s, all.yz);
  }
}
