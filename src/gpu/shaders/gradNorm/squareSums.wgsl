// Sums of the squares of 1024 numbers each, for the norm of a long gradient: gradNorm's second entry adds them up. One
// workgroup per sum, one invocation per 4 numbers, a fixed tree. Pays off where a single workgroup would be long alone:
// from about 65536 numbers.
//
// gradient : [S, size/4], size a multiple of 4     squares : [S, parts]

struct Dims { size : u32, parts : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       gradient : array<vec4f>;
@group(0) @binding(2) var<storage, read_write> squares  : array<f32>;

var<workgroup> tree : array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let part = group.x + group.y * 65535u;
  if (part >= dims.parts) { return; }
  let k = part * 256u + local;
  var sum = 0.0;
  if (4u * k < dims.size) {
    let g = gradient[group.z * dims.size / 4u + k];
    sum = g.x * g.x + g.y * g.y + g.z * g.z + g.w * g.w;
  }
  tree[local] = sum;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { tree[local] += tree[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) { squares[group.z * dims.parts + part] = tree[0]; }
}
