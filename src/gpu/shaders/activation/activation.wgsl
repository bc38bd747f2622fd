// Forward: H = act(Z). Backward: dH ← dH · act′(Z), in place. kind 0 tanh, 1 relu, 2 gelu (tanh form, arXiv 1606.08415).
// One invocation per number.
//
// Z, H, dH : [S, maxRows, width], the first rows·width numbers of each replica

struct Dims { count : u32, stride : u32, kind : u32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read>       Z    : array<f32>;
@group(0) @binding(2) var<storage, read_write> H    : array<f32>;

const GELU = 0.7978845608028654;
const CUBIC = 0.044715;

// tanh of large arguments overflows inside some drivers' exp; beyond 15 it is ±1 in f32
fn safeTanh(x : f32) -> f32 { return tanh(clamp(x, -15.0, 15.0)); }

fn act(z : f32) -> f32 {
  if (dims.kind == 0u) { return safeTanh(z); }
  if (dims.kind == 1u) { return max(z, 0.0); }
  return 0.5 * z * (1.0 + safeTanh(GELU * (z + CUBIC * z * z * z)));
}

fn slope(z : f32) -> f32 {
  if (dims.kind == 0u) { let y = safeTanh(z); return 1.0 - y * y; }
  if (dims.kind == 1u) { return select(0.0, 1.0, z > 0.0); }
  let y = safeTanh(GELU * (z + CUBIC * z * z * z));
  return 0.5 * (1.0 + y) + 0.5 * z * (1.0 - y * y) * GELU * (1.0 + 3.0 * CUBIC * z * z);
}

@compute @workgroup_size(64)
fn forward(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.count) { return; }
  let k = group.z * dims.stride + id;
  H[k] = act(Z[k]);
}

@compute @workgroup_size(64)
fn backward(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.count) { return; }
  let k = group.z * dims.stride + id;
  H[k] = H[k] * slope(Z[k]);
}
