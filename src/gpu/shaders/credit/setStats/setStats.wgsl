// Mean and divisor of every set of steps, at the place of its first step: (x − mean)/divisor normalizes. Divisor: std +
// 1e-6 (mode 0), or 1; 0 where the set cannot be compared, because it has one member or all agree. std over n − 1, or
// over n. With `once` every trajectory counts once per set, at its first visit. Places that are no first step stay as they
// are. One invocation per step; only first steps work, each adding up its members in order. Neighbors take the same step of
// different blocks of rows: first steps stand at the beginning of a block, so lanes that work stand side by side.
//
// x, head, next : [S, B, T]     stats : [S, B, T, 2]     head and next as keyMatch makes them: a set is a ring of steps

// block: the rows that can share a set lie in one block of this many rows
struct Dims { B : u32, T : u32, block : u32, mode : u32, population : u32, once : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       x      : array<f32>;
@group(0) @binding(2) var<storage, read>       head   : array<u32>;
@group(0) @binding(3) var<storage, read>       next   : array<u32>;
@group(0) @binding(4) var<storage, read_write> stats  : array<f32>;

/// The member after `id` that counts, the first one after the last. `start`: first step of the replica.
fn following(start : u32, id : u32) -> u32 {
  var at = next[start + id];
  while (dims.once == 1u && at > id && at / dims.T == id / dims.T) { at = next[start + at]; }
  return at;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let lane = (group.x + group.y * 65535u) * 64u + local;
  let blocks = (dims.B + dims.block - 1u) / dims.block;
  let inBlock = lane / blocks;
  let id = (lane - inBlock * blocks) * dims.block * dims.T + inBlock;
  if (inBlock >= dims.block * dims.T || id >= dims.B * dims.T) { return; }
  let start = group.z * dims.B * dims.T;
  if (head[start + id] != id) { return; }
  let k = start + id;
  // one walk: the mean of the members so far, and their squared distances from it
  var n = 1.0;
  var mean = x[k];
  var squares = 0.0;
  var low = mean;
  var high = mean;
  for (var at = following(start, id); at != id; at = following(start, at)) {
    let y = x[start + at];
    n += 1.0;
    let d = y - mean;
    mean += d / n;
    squares += d * (y - mean);
    low = min(low, y);
    high = max(high, y);
  }
  stats[2u * k] = mean;
  if (n < 2.0 || high - low <= 1.0e-5 * max(1.0, max(abs(low), abs(high)))) { stats[2u * k + 1u] = 0.0; return; }
  if (dims.mode != 0u) { stats[2u * k + 1u] = 1.0; return; }
  stats[2u * k + 1u] = sqrt(squares / select(n - 1.0, n, dims.population == 1u)) + 1.0e-6;
}
