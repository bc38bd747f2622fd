// Counts of keys in a hash table with open addressing that lives on: the twin of slots/reward/countTable.ts. Which keys are
// in and their counts do not depend on who came first, only where they stand. Linked after random.wgsl. Replicas in z.
//
//   keys     per step: the key of the state it led to with that of its level; no place yet
//   clear    per slot: whether it is taken, and nothing pending
//   insert   per step: the slot of its key, taken now if it was free; one more is pending there
//   settle   per slot: pending counts are added; if a key found no place, no new key stays
//   look     per step: y = count to the power `exponent`, 0 without a place and on padding
//
// key : [S, B, T, 2]     finalKey : [S, B, 2]     length : [S, B]     assign : [S, B, 4] = …, level seed
// steps : [S, B, T, 3] scratch: key high, low, slot     table : [S, slots, 3] = key high, low, count; count 0 = free
// claims : [S, 2·slots + 1] scratch: owner of each slot (step + 1), pending counts, whether a key found no place

struct Dims { B : u32, T : u32, slots : u32, exponent : f32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       key      : array<u32>;
@group(0) @binding(2) var<storage, read>       finalKey : array<u32>;
@group(0) @binding(3) var<storage, read>       length   : array<u32>;
@group(0) @binding(4) var<storage, read>       assign   : array<u32>;
@group(0) @binding(5) var<storage, read_write> steps    : array<u32>;
@group(0) @binding(6) var<storage, read_write> table    : array<u32>;
@group(0) @binding(7) var<storage, read_write> claims   : array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> y        : array<f32>;

const NONE = 0xffffffffu;
/// Owner of a slot whose key was counted before this batch.
const OLD = 0xffffffffu;

fn mix(x : u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return h ^ (h >> 16u);
}

/// Flat index of a step, NONE beyond the last.
fn stepAt(group : vec3u, local : u32) -> u32 {
  let id = (group.x + group.y * 65535u) * 64u + local;
  return select(NONE, group.z * dims.B * dims.T + id, id < dims.B * dims.T);
}

@compute @workgroup_size(64)
fn keys(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let k = stepAt(group, local);
  if (k == NONE) { return; }
  let row = k / dims.T;
  let t = k - row * dims.T;
  steps[3u * k + 2u] = NONE;
  if (t >= length[row]) { return; }
  var reached = vec2u(finalKey[2u * row], finalKey[2u * row + 1u]);
  if (t + 1u < length[row]) { reached = vec2u(key[2u * k + 2u], key[2u * k + 3u]); }
  let mixed = threefry(reached, vec2u(assign[4u * row + 3u], 0u));
  steps[3u * k] = mixed.x;
  steps[3u * k + 1u] = mixed.y;
}

@compute @workgroup_size(64)
fn clear(@builtin(global_invocation_id) id : vec3u) {
  if (id.x >= dims.slots) { return; }
  let own = id.z * (2u * dims.slots + 1u);
  let isTaken = table[3u * (id.z * dims.slots + id.x) + 2u] > 0u;
  atomicStore(&claims[own + id.x], select(0u, OLD, isTaken));
  atomicStore(&claims[own + dims.slots + id.x], 0u);
  if (id.x == 0u) { atomicStore(&claims[own + 2u * dims.slots], 0u); }
}

/// Slot of the key of step k among those of replica s.
fn slotOf(s : u32, k : u32) -> u32 {
  let own = s * (2u * dims.slots + 1u);
  let mine = vec2u(steps[3u * k], steps[3u * k + 1u]);
  var slot = mix(mix(mine.x) ^ mine.y) & (dims.slots - 1u);
  // twice the slots: a free slot may refuse an exchange without a reason, and is then tried again
  for (var tries = 0u; tries < 2u * dims.slots; tries++) {
    var owner = atomicLoad(&claims[own + slot]);
    if (owner == 0u) {
      let seen = atomicCompareExchangeWeak(&claims[own + slot], 0u, k + 1u);
      if (seen.exchanged) { return slot; }
      owner = seen.old_value;
      if (owner == 0u) { continue; }
    }
    var other = vec2u(0u);
    if (owner == OLD) {
      let at = 3u * (s * dims.slots + slot);
      other = vec2u(table[at], table[at + 1u]);
    } else {
      other = vec2u(steps[3u * (owner - 1u)], steps[3u * (owner - 1u) + 1u]);
    }
    if (all(other == mine)) { return slot; }
    slot = (slot + 1u) & (dims.slots - 1u);
  }
  return NONE;
}

@compute @workgroup_size(64)
fn insert(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let k = stepAt(group, local);
  if (k == NONE) { return; }
  if (k % dims.T >= length[k / dims.T]) { return; }
  let own = group.z * (2u * dims.slots + 1u);
  let slot = slotOf(group.z, k);
  steps[3u * k + 2u] = slot;
  if (slot == NONE) {
    atomicStore(&claims[own + 2u * dims.slots], 1u);
  } else {
    atomicAdd(&claims[own + dims.slots + slot], 1u);
  }
}

@compute @workgroup_size(64)
fn settle(@builtin(global_invocation_id) id : vec3u) {
  if (id.x >= dims.slots) { return; }
  let own = id.z * (2u * dims.slots + 1u);
  let owner = atomicLoad(&claims[own + id.x]);
  let at = 3u * (id.z * dims.slots + id.x);
  if (owner == 0u) { return; }
  if (owner != OLD) {
    if (atomicLoad(&claims[own + 2u * dims.slots]) == 1u) { return; }
    table[at] = steps[3u * (owner - 1u)];
    table[at + 1u] = steps[3u * (owner - 1u) + 1u];
  }
  // 0 is a free slot: a count ends at the largest number instead of beginning again
  let pending = atomicLoad(&claims[own + dims.slots + id.x]);
  let count = table[at + 2u] + pending;
  table[at + 2u] = select(count, 0xffffffffu, count < pending);
}

@compute @workgroup_size(64)
fn look(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let k = stepAt(group, local);
  if (k == NONE) { return; }
  let slot = steps[3u * k + 2u];
  y[k] = 0.0;
  if (slot == NONE) { return; }
  let count = table[3u * (group.z * dims.slots + slot) + 2u];
  if (count > 0u) { y[k] = pow(f32(count), dims.exponent); }
}
