// Anchor groups: for every real step the smallest flat index (inside its replica) of a step of the same task group with
// the same 64-bit key, and whether there is another one: count 2, or 1 where it is alone. Padding: head 0xffffffff, count 0.
// One invocation per step, looking through its task group in order: no hash table, no sort, no atomics. It stops at the
// first step that agrees, which is early where states are visited often; only the first of a set looks on for a second.
//
// key : [S, B, T, 2]     head, count : [S, B, T]

// block: the rows of a task lie in one block of so many rows; B where they may lie anywhere.
struct Dims { B : u32, T : u32, block : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       key       : array<u32>;
@group(0) @binding(2) var<storage, read>       length    : array<u32>;
@group(0) @binding(3) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(4) var<storage, read_write> head      : array<u32>;
@group(0) @binding(5) var<storage, read_write> count     : array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let s = group.z;
  let row = s * dims.B + id / dims.T;
  let k = row * dims.T + id % dims.T;
  if (id % dims.T >= length[row]) { head[k] = 0xffffffffu; count[k] = 0u; return; }
  let mine = vec2u(key[2u * k], key[2u * k + 1u]);
  var first = 0xffffffffu;
  var n = 0u;
  let start = id / dims.T / dims.block * dims.block;
  for (var j = start; j < min(dims.B, start + dims.block); j++) {
    let other = s * dims.B + j;
    if (taskIndex[other] != taskIndex[row]) { continue; }
    for (var u = 0u; u < length[other]; u++) {
      let at = other * dims.T + u;
      if (key[2u * at] == mine.x && key[2u * at + 1u] == mine.y) {
        if (n == 0u) { first = j * dims.T + u; }
        n++;
        if (n == 2u || at != k) { n = 2u; break; }
      }
    }
    if (n == 2u) { break; }
  }
  head[k] = first;
  count[k] = n;
}
