// One optimizer step on all parameters: gradient shortened to the norm limit, then the optimizer's `optimize`, linked in
// front of this text with givenNorm.wgsl or summedNorm.wgsl. A replica with the norm −1 (flagged before, see gradNorm)
// does not move; a number that would not be finite is not written and raises flag 5 (optimizer). One invocation per 4
// parameters; size is a multiple of 4, as layouts have it.
//
// theta, m, v, gradient : [S, size/4]     flags : [S]
// rates : [steps, 4] = lr, c1, c2, unused; with `perReplica` 1 [S, 4]

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       gradient : array<vec4f>;
@group(0) @binding(3) var<storage, read>       rates    : array<vec4f>;
@group(0) @binding(4) var<storage, read_write> theta    : array<vec4f>;
@group(0) @binding(5) var<storage, read_write> m        : array<vec4f>;
@group(0) @binding(6) var<storage, read_write> v        : array<vec4f>;
@group(0) @binding(7) var<storage, read_write> flags    : array<atomic<u32>>;

fn isFinite(x : vec3f) -> bool { return all((bitcast<vec3u>(x) & vec3u(0x7f800000u)) != vec3u(0x7f800000u)); }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) at : vec3u, @builtin(local_invocation_index) local : u32) {
  let group = at.x + at.y * 65535u;
  let id = group * 64u + local;
  let s = at.z;
  let norm = normOf(s, group, local);
  if (4u * id >= dims.size || norm < 0.0) { return; }
  let k = s * dims.size / 4u + id;
  var g = gradient[k];
  if (dims.clipNorm > 0.0 && norm > dims.clipNorm) { g *= dims.clipNorm / (norm + 1.0e-6); }
  let rate = rates[dims.k + s * dims.perReplica];
  let p = vec4f(dims.p0, dims.p1, dims.p2, dims.p3);
  let t = theta[k];
  let a = m[k];
  let b = v[k];
  let x = optimize(t.x, g.x, a.x, b.x, rate.x, rate.y, rate.z, p);
  let y = optimize(t.y, g.y, a.y, b.y, rate.x, rate.y, rate.z, p);
  let z = optimize(t.z, g.z, a.z, b.z, rate.x, rate.y, rate.z, p);
  let w = optimize(t.w, g.w, a.w, b.w, rate.x, rate.y, rate.z, p);
  let good = vec4<bool>(isFinite(x), isFinite(y), isFinite(z), isFinite(w));
  theta[k] = select(t, vec4f(x.x, y.x, z.x, w.x), good);
  m[k] = select(a, vec4f(x.y, y.y, z.y, w.y), good);
  v[k] = select(b, vec4f(x.z, y.z, z.z, w.z), good);
  if (!all(good)) { atomicMax(&flags[s], 5u); }
}
