// One optimizer step on all parameters: gradient shortened to the norm limit, then the optimizer's `optimize`, linked in
// front of this text. A replica with the norm −1 (flagged before, see gradNorm) does not move; a number that would not
// be finite is not written and raises flag 5 (optimizer). One invocation per parameter.
//
// theta, m, v, gradient : [S, size]     norms : [S, 2], the first number is the norm     flags : [S]
// rates : [steps, 4] = lr, c1, c2, unused; with `perReplica` 1 [S, 4]

struct Dims { size : u32, k : u32, perReplica : u32, clipNorm : f32, p0 : f32, p1 : f32, p2 : f32, p3 : f32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       gradient : array<f32>;
@group(0) @binding(2) var<storage, read>       norms    : array<f32>;
@group(0) @binding(3) var<storage, read>       rates    : array<vec4f>;
@group(0) @binding(4) var<storage, read_write> theta    : array<f32>;
@group(0) @binding(5) var<storage, read_write> m        : array<f32>;
@group(0) @binding(6) var<storage, read_write> v        : array<f32>;
@group(0) @binding(7) var<storage, read_write> flags    : array<atomic<u32>>;

fn isFinite(x : f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let s = group.z;
  let k = s * dims.size + id;
  let norm = norms[2u * s];
  if (norm < 0.0) { return; }
  var g = gradient[k];
  if (dims.clipNorm > 0.0 && norm > dims.clipNorm) { g *= dims.clipNorm / (norm + 1.0e-6); }
  let rate = rates[dims.k + s * dims.perReplica];
  let next = optimize(theta[k], g, m[k], v[k], rate.x, rate.y, rate.z, vec4f(dims.p0, dims.p1, dims.p2, dims.p3));
  if (isFinite(next.x) && isFinite(next.y) && isFinite(next.z)) {
    theta[k] = next.x;
    m[k] = next.y;
    v[k] = next.z;
  } else {
    atomicMax(&flags[s], 5u);
  }
}
