// What the states of a batch cover, linked after a function of the world:
//
//   coverState(levelAt, stateAt, radius)   calls addItem(item) once for each item, a number below 1,024
//
//   cover[row, t]     items that state t covers by itself
//   covered[row, t]   items that the states 0 … t cover, each counted once
//
// One invocation per row. Entries after the last state of a row are 0.
//
// levels : packed levels; from assignAt [rows, 4] = level offset, …     played : [rows, T+1, words]     length : [rows]

struct Dims { rows : u32, T : u32, words : u32, before : u32, assignAt : u32, radius : i32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       levels  : array<u32>;
@group(0) @binding(2) var<storage, read>       played  : array<u32>;
@group(0) @binding(3) var<storage, read>       length  : array<u32>;
@group(0) @binding(4) var<storage, read_write> covered : array<f32>;
@group(0) @binding(5) var<storage, read_write> cover   : array<f32>;

/// A bit for each item.
var<private> seen : array<u32, 32>;
var<private> ofRow : u32;
var<private> ofState : u32;

fn addItem(item : u32) {
  let bit = 1u << (item & 31u);
  ofState++;
  if ((seen[item >> 5u] & bit) == 0u) { ofRow++; }
  seen[item >> 5u] |= bit;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = (group.x + group.y * 65535u) * 64u + local;
  if (row >= dims.rows) { return; }
  let levelAt = levels[dims.assignAt + 4u * row];
  for (var t = 0u; t <= dims.T; t++) {
    let id = row * (dims.T + 1u) + t;
    let isReal = t <= length[row];
    ofState = 0u;
    if (isReal) { coverState(levelAt, id * dims.words + dims.before, dims.radius); }
    cover[id] = f32(ofState);
    covered[id] = select(0.0, f32(ofRow), isReal);
  }
}
