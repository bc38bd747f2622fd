// Sets of steps with equal histories: for every step the smallest flat index (inside its replica) of a step of the same
// task group that agrees with it, 0xffffffff on padding and on steps outside every set.
//
// edge 0, states: s[t−m] agree for m = 0 … past; steps with t < past are in no set
// edge 1, edges: s, a and the next state agree, and so do the last min(past, t) pairs (s, a) before, in number and content
//
// One invocation per step, comparing with all steps of its task group; most comparisons end at the first state.
//
// head : [S, B, T] of keyMatch     action, match_ : [S, B, T]     key : [S, B, T, 2]     finalKey : [S, B, 2]

// block: the rows of a task lie in one block of so many rows; B where they may lie anywhere.
struct Dims { B : u32, T : u32, block : u32, past : u32, edge : u32 }

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       head      : array<u32>;
@group(0) @binding(2) var<storage, read>       action    : array<u32>;
@group(0) @binding(3) var<storage, read>       key       : array<u32>;
@group(0) @binding(4) var<storage, read>       finalKey  : array<u32>;
@group(0) @binding(5) var<storage, read>       length    : array<u32>;
@group(0) @binding(6) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(7) var<storage, read_write> match_    : array<u32>;

const NONE = 0xffffffffu;

/// Key of the state after step t of a row.
fn nextKey(row : u32, t : u32) -> vec2u {
  if (t + 1u < length[row]) {
    let k = 2u * (row * dims.T + t + 1u);
    return vec2u(key[k], key[k + 1u]);
  }
  return vec2u(finalKey[2u * row], finalKey[2u * row + 1u]);
}

/// Do steps t of `row` and u of `other` belong to one set? Their states agree already.
fn agree(row : u32, t : u32, other : u32, u : u32) -> bool {
  let a = row * dims.T + t;
  let b = other * dims.T + u;
  if (dims.edge == 0u) {
    if (u < dims.past) { return false; }
    for (var m = 1u; m <= dims.past; m++) {
      if (head[a - m] != head[b - m]) { return false; }
    }
    return true;
  }
  if (action[a] != action[b] || any(nextKey(row, t) != nextKey(other, u))) { return false; }
  let depth = min(dims.past, t);
  if (depth != min(dims.past, u)) { return false; }
  for (var m = 1u; m <= depth; m++) {
    if (head[a - m] != head[b - m] || action[a - m] != action[b - m]) { return false; }
  }
  return true;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let s = group.z;
  let row = s * dims.B + id / dims.T;
  let t = id % dims.T;
  let k = row * dims.T + t;
  match_[k] = NONE;
  if (t >= length[row] || (dims.edge == 0u && t < dims.past)) { return; }
  let mine = head[k];
  let end = min(dims.B, (mine / dims.T / dims.block + 1u) * dims.block);
  for (var j = mine / dims.T; j < end; j++) {
    let other = s * dims.B + j;
    if (taskIndex[other] != taskIndex[row]) { continue; }
    for (var u = 0u; u < length[other]; u++) {
      if (head[other * dims.T + u] == mine && agree(row, t, other, u)) {
        match_[k] = j * dims.T + u;
        return;
      }
    }
  }
}
