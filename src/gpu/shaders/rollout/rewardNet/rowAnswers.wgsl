// What a model of rewards says of every row of a batch: y = w₂·tanh(z + b₁) + b₂, z the mean of what features add up to in its
// states, that after the last step included. tanh takes the place of z in all of them, 0 in those that were not reached. Four rows
// per workgroup, one invocation for each hidden unit.
//
// hidden : [S, B, T+1, 16], z before and tanh after     rest : [S, 545], U, b₁, w₂, b₂     y : [S, B]

struct Dims { B : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       rest   : array<f32>;
@group(0) @binding(3) var<storage, read_write> hidden : array<f32>;
@group(0) @binding(4) var<storage, read_write> y      : array<f32>;

var<workgroup> parts : array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = (group.x + group.y * 65535u) * 4u + local / 16u;
  let j = local % 16u;
  let row = group.z * dims.B + i;
  let p = 545u * group.z;
  if (i < dims.B) {
    let n = length[row] + 1u;
    let first = 16u * row * (dims.T + 1u) + j;
    var sum = 0.0;
    for (var t = 0u; t < n; t++) { sum += hidden[first + 16u * t]; }
    let z = sum / f32(n) + rest[p + 512u + j];
    let h = select(tanh(clamp(z, -10.0, 10.0)), sign(z), abs(z) > 10.0);
    for (var t = 0u; t <= dims.T; t++) { hidden[first + 16u * t] = select(0.0, h, t < n); }
    parts[local] = rest[p + 528u + j] * h;
  }
  workgroupBarrier();
  if (i >= dims.B || j > 0u) { return; }
  var sum = rest[p + 544u];
  for (var k = 0u; k < 16u; k++) { sum += parts[local + k]; }
  y[row] = sum;
}
