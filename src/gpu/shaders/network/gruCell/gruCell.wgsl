// One step of a gated recurrent unit for all trajectories, see networks/gru/gruNetwork.ts:
//
//   u = c + h_{t−1}·U     r = σ(x_r + u_r)     z = σ(x_z + u_z)     g = tanh(x_n + r·u_n)     h_t = (1 − z)·g + z·h_{t−1}
//
// One invocation per (trajectory, number of the memory). Linked after what says where a step is, and what stays of it: played.wgsl
// or learned.wgsl.
//
// theta : [S, size]     x : [S, B·T, 3H]     after : [S, B·T, H] h_t

struct Dims {
  B : u32, T : u32, H : u32, t : u32, size : u32, weightAt : u32, biasAt : u32, isLast : u32,
}

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       theta : array<f32>;
@group(0) @binding(2) var<storage, read>       x     : array<f32>;
@group(0) @binding(3) var<storage, read_write> after : array<f32>;

/// Step t of a trajectory: whether there is one, and its places in arrays of steps and in x.
struct Place { isThere : bool, t : u32, step : u32, x : u32 }

/// What exp makes of more than 88 is not said.
fn sigmoid(v : f32) -> f32 { return 1.0 / (1.0 + exp(select(-v, 87.0, v < -87.0))); }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let H = dims.H;
  let i = id / H;
  let k = id % H;
  if (i >= dims.B) { return; }
  let s = group.z;
  let here = placeOf(s, i);
  if (!here.isThere) { return; }
  let bias = s * dims.size + dims.biasAt + k;
  var u = vec3f(theta[bias], theta[bias + H], theta[bias + 2u * H]);
  var held = 0.0;
  if (here.t > 0u) {
    let from_ = (here.step - 1u) * H;
    for (var j = 0u; j < H; j++) {
      let w = s * dims.size + dims.weightAt + j * 3u * H + k;
      u += after[from_ + j] * vec3f(theta[w], theta[w + H], theta[w + 2u * H]);
    }
    held = after[from_ + k];
  }
  let at = here.x * 3u * H + k;
  let r = sigmoid(x[at] + u.x);
  let z = sigmoid(x[at + H] + u.y);
  // tanh of large arguments overflows inside some drivers' exp
  let g = tanh(clamp(x[at + 2u * H] + r * u.z, -15.0, 15.0));
  keep(here, k, held, vec4f(r, z, g, u.z), (1.0 - z) * g + z * held);
}
