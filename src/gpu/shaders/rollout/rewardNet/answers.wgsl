// What a model of rewards says of every state of a batch, or of every step: y = w₂·tanh(z + U·e_a + b₁) + b₂, z being what its
// features add up to, which tanh takes the place of. 0 for states that were not reached. One invocation per state.
//
// hidden : [S, states, 16], z before and tanh after     rest : [S, 545], U, b₁, w₂, b₂     action : [S, B, T]
// y : [S, states], states = B·(T + 1)

struct Dims { states : u32, T : u32, byAction : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       action : array<u32>;
@group(0) @binding(3) var<storage, read>       rest   : array<f32>;
@group(0) @binding(4) var<storage, read_write> hidden : array<f32>;
@group(0) @binding(5) var<storage, read_write> y      : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.states) { return; }
  let s = group.z;
  let states = dims.T + 1u;
  let row = (s * dims.states + id) / states;
  let t = id % states;
  let isReal = t + dims.byAction <= length[row];
  let p = s * 545u;
  var own = 0u;
  if (dims.byAction == 1u && isReal) { own = p + 16u * (action[row * dims.T + t] % 32u); }
  var sum = rest[p + 544u];
  for (var j = 0u; j < 16u; j++) {
    let at = 16u * (s * dims.states + id) + j;
    var z = hidden[at] + rest[p + 512u + j];
    if (dims.byAction == 1u) { z += rest[own + j]; }
    let h = select(0.0, select(tanh(clamp(z, -10.0, 10.0)), sign(z), abs(z) > 10.0), isReal);
    hidden[at] = h;
    sum += rest[p + 528u + j] * h;
  }
  y[s * dims.states + id] = select(0.0, sum, isReal);
}
