// 64-bit hash of what happened in each trajectory: the twin of engine/arrays.ts, integers only. One invocation per trajectory
// hashes level seed, length, then action and reward of every real step. The hash over all trajectories of a replica is a
// chain of B links, which no device can share out: it is made where the report is read, while the device goes on. 16,384
// links take 0.7 ms there and took 10 ms of every update as one invocation (two cores of SwiftShader, loaded).
//
// assign : [S, B, 4], the fourth word is the level seed     choice : [2][S, B, T], the second part is the action
// milli : [S, B, T] reward in thousandths     rowHash : [S, B, 2]

struct Dims { S : u32, B : u32, T : u32, section : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       assign  : array<u32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       choice  : array<u32>;
@group(0) @binding(4) var<storage, read>       milli   : array<i32>;
@group(0) @binding(5) var<storage, read_write> rowHash : array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = group.x * 64u + local;
  if (row >= dims.S * dims.B) { return; }
  var h = threefry(vec2u(0x54524a59u, 0u), vec2u(assign[4u * row + 3u], length[row]));
  for (var t = 0u; t < length[row]; t++) {
    let step = row * dims.T + t;
    h = threefry(h, vec2u(choice[dims.section + step], bitcast<u32>(milli[step])));
  }
  rowHash[2u * row] = h.x;
  rowHash[2u * row + 1u] = h.y;
}
