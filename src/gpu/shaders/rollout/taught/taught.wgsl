// Which share of its teacher's subgoals a row had reached in each state: the second byte of a word of the state over how many
// there are. One invocation per state. Entries after the last state of a row are 0.
//
// played : [rows, T+1, words]     length : [rows]     listed : [rows], at least 1

struct Dims { rows : u32, T : u32, words : u32, word : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       played   : array<u32>;
@group(0) @binding(2) var<storage, read>       length   : array<u32>;
@group(0) @binding(3) var<storage, read>       listed   : array<f32>;
@group(0) @binding(4) var<storage, read_write> taught   : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * (dims.T + 1u)) { return; }
  let row = id / (dims.T + 1u);
  let isReal = id - row * (dims.T + 1u) <= length[row];
  let reached = (played[id * dims.words + dims.word] >> 8u) & 255u;
  taught[id] = select(0.0, f32(reached) / listed[row], isReal);
}
