// Aggregation weight of every unit of a trajectory in minibatch m of an epoch (spec objective §0), where a step may hold
// several units: mode 0 unitMean 1/Σn, 1 seqMeanUnitMean 1/(B⁺·n), 2 seqMeanUnitSum 1/B⁺, 3 constant 1/(B⁺·T·most);
// 0 for trajectories of other minibatches. One invocation per replica; trajectories in order.
//
// length, units : [S, B]     member : [epochs, S, B] minibatch of each trajectory     plan : [S, B, 2] = weight, length

struct Dims { S : u32, B : u32, T : u32, most : u32, mode : u32, epoch : u32, minibatch : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       units  : array<u32>;
@group(0) @binding(3) var<storage, read>       member : array<u32>;
@group(0) @binding(4) var<storage, read_write> plan   : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  let s = id.x;
  if (s >= dims.S) { return; }
  var all = 0u;
  var rows = 0u;
  for (var i = 0u; i < dims.B; i++) {
    if (member[(dims.epoch * dims.S + s) * dims.B + i] == dims.minibatch) {
      all += units[s * dims.B + i];
      rows++;
    }
  }
  for (var i = 0u; i < dims.B; i++) {
    let row = s * dims.B + i;
    var w = 0.0;
    if (member[(dims.epoch * dims.S + s) * dims.B + i] == dims.minibatch) {
      if (dims.mode == 0u) { w = 1.0 / f32(all); }
      else if (dims.mode == 1u) { w = 1.0 / f32(rows * units[row]); }
      else if (dims.mode == 2u) { w = 1.0 / f32(rows); }
      else { w = 1.0 / f32(rows * dims.T * dims.most); }
    }
    plan[2u * row] = w;
    plan[2u * row + 1u] = f32(length[row]);
  }
}
