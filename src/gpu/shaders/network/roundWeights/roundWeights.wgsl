// Weights as an engine of less precision has them. `copy`: y = x, or x rounded to a half float; one invocation per number.
// `rows`, behind it: each row of the table is rounded to that many levels to both sides, one invocation per row:
//
//   scale = max|x| / levels     y = round(x/scale)·scale     halves to the even number; rows of zeros stay
//
// x, y : [S, size]     table : [rows, 3] = first number, how many, how far apart

struct Dims { size : u32, rows : u32, levels : u32, half : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       table : array<u32>;
@group(0) @binding(2) var<storage, read>       x     : array<f32>;
@group(0) @binding(3) var<storage, read_write> y     : array<f32>;

fn toHalf(v : f32) -> f32 {
  let bits = bitcast<u32>(v);
  let size = bits & 0x7fffffffu;
  if (size >= 0x7f800000u) { return v; }
  // from 65520 on a half float is infinite; below 2^-14 its steps are 2^-24
  if (size >= 0x477ff000u) { return bitcast<f32>((bits & 0x80000000u) | 0x7f800000u); }
  if (size < 0x38800000u) { return round(v * 16777216.0) / 16777216.0; }
  return bitcast<f32>((bits + 0xfffu + ((bits >> 13u) & 1u)) & 0xffffe000u);
}

@compute @workgroup_size(64)
fn copy(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.size) { return; }
  let k = group.z * dims.size + id;
  y[k] = select(x[k], toHalf(x[k]), dims.half == 1u);
}

@compute @workgroup_size(64)
fn rows(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows) { return; }
  let start = group.z * dims.size + table[3u * id];
  let count = table[3u * id + 1u];
  let stride = table[3u * id + 2u];
  var most = 0.0;
  for (var k = 0u; k < count; k++) { most = max(most, abs(x[start + k * stride])); }
  let scale = most / f32(dims.levels);
  if (!(scale > 0.0)) { return; }
  for (var k = 0u; k < count; k++) {
    let at = start + k * stride;
    y[at] = round(x[at] / scale) * scale;
  }
}
