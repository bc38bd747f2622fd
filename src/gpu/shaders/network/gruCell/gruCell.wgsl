// One step of a gated recurrent unit for all trajectories, see networks/gru/gruNetwork.ts:
//
//   u = c + h_{t−1}·U     r = σ(x_r + u_r)     z = σ(x_z + u_z)     g = tanh(x_n + r·u_n)     h_t = (1 − z)·g + z·h_{t−1}
//
// One invocation per (trajectory, number of the memory). Sums over the memory are four, of every fourth product, so that several
// invocations can share one (gruWalk.wgsl). Linked after unit.wgsl and what says where a step is, and what stays of it: played.wgsl,
// or kept.wgsl and learned.wgsl.
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

/// What number j of a memory adds to the sums of number k, whose first weight is at w.
fn term(at : u32, w : u32, j : u32) -> vec3f {
  let own = w + j * 3u * dims.H;
  return after[at + j] * vec3f(theta[own], theta[own + dims.H], theta[own + 2u * dims.H]);
}

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
    let w = s * dims.size + dims.weightAt + k;
    var a = vec3f();
    var b = vec3f();
    var c = vec3f();
    var d = vec3f();
    for (var j = 0u; j < H; j += 4u) {
      a += term(from_, w, j);
      if (j + 1u < H) { b += term(from_, w, j + 1u); }
      if (j + 2u < H) { c += term(from_, w, j + 2u); }
      if (j + 3u < H) { d += term(from_, w, j + 3u); }
    }
    u += (a + b) + (c + d);
    held = after[from_ + k];
  }
  let at = here.x * 3u * H + k;
  let gates = gatesOf(vec3f(x[at], x[at + H], x[at + 2u * H]), u);
  keep(here, k, held, vec4f(gates, u.z), remembered(gates, held));
}
