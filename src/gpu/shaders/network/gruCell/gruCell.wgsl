// One step of a gated recurrent unit for all trajectories, see networks/gru/gruNetwork.ts:
//
//   u = c + h_{t−1}·U     r = σ(x_r + u_r)     z = σ(x_z + u_z)     g = tanh(x_n + r·u_n)     h_t = (1 − z)·g + z·h_{t−1}
//
// One invocation per (trajectory, number of the memory). With `isLast` the step follows the last one of its trajectory, and
// only `now` is written. `keeps`: what the way back needs stays, else `now` is written.
//
// theta : [S, size]     x : [S, maxRows, 3H], row i·stride + at = x of trajectory i     length : [S, B], read with `isLast`
// after : [S, B, T, H] h_t     before : [S, B, T, H] h_{t−1}     gates : [S, B, T, 4H] = r, z, g, u_n     now : [S, maxRows, H]

struct Dims {
  B : u32, T : u32, H : u32, t : u32, stride : u32, at : u32, maxRows : u32, size : u32, weightAt : u32, biasAt : u32,
  isLast : u32, keeps : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       theta  : array<f32>;
@group(0) @binding(2) var<storage, read>       x      : array<f32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read_write> after  : array<f32>;
@group(0) @binding(5) var<storage, read_write> before : array<f32>;
@group(0) @binding(6) var<storage, read_write> gates  : array<f32>;
@group(0) @binding(7) var<storage, read_write> now    : array<f32>;

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
  let row = s * dims.B + i;
  var steps = dims.t;
  if (dims.isLast == 1u) { steps = length[row]; }
  var u = vec3f();
  let bias = s * dims.size + dims.biasAt + k;
  u = vec3f(theta[bias], theta[bias + H], theta[bias + 2u * H]);
  var held = 0.0;
  if (steps > 0u) {
    let from_ = (row * dims.T + steps - 1u) * H;
    for (var j = 0u; j < H; j++) {
      let w = s * dims.size + dims.weightAt + j * 3u * H + k;
      u += after[from_ + j] * vec3f(theta[w], theta[w + H], theta[w + 2u * H]);
    }
    held = after[from_ + k];
  }
  let at = (s * dims.maxRows + i * dims.stride + dims.at) * 3u * H + k;
  let r = sigmoid(x[at] + u.x);
  let z = sigmoid(x[at + H] + u.y);
  // tanh of large arguments overflows inside some drivers' exp
  let g = tanh(clamp(x[at + 2u * H] + r * u.z, -15.0, 15.0));
  let h = (1.0 - z) * g + z * held;
  let to = row * dims.T + dims.t;
  if (dims.keeps == 1u) {
    before[to * H + k] = held;
    gates[to * 4u * H + k] = r;
    gates[to * 4u * H + H + k] = z;
    gates[to * 4u * H + 2u * H + k] = g;
    gates[to * 4u * H + 3u * H + k] = u.z;
  } else {
    now[(s * dims.maxRows + i) * H + k] = h;
  }
  if (dims.isLast == 0u) { after[to * H + k] = h; }
}
