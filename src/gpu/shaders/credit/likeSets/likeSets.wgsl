// Sets of steps whose observations look alike: in row order a step joins the first set of its task whose first step differs
// from it in at most `most` cells, else it opens one; steps whose action is `first` or a later one are alone. For every step
// the flat index (inside its replica) of the first step of its set; padding is in no set: 0xffffffff. Only whole numbers are
// compared.
//
// One workgroup per block of rows, 64 steps at a time. Each looks through the sets that earlier steps have opened. Those
// that found none go on in order: the first of them opens a set, and those behind it look at that one.
//
// Cells of an observation, as it is seen (perturb/sight.ts): parts of `bits` bits each, and every bit behind them. Part k has
// the bits k·stride + j·step; stride is 1, or 8 and a part is a byte. Without parts it is one cell: which bit is the first.
//
// length, taskIndex : [S, B]     action : [S, B, T]     obs : [S, B, T + 1, words]     table : [S, B, T, 2], scratch     match_ : [S, B, T]

// block: the rows of a task lie in one block of this many rows; B where they may lie anywhere.
struct Dims {
  B : u32, T : u32, block : u32, most : u32, first : u32,
  words : u32, features : u32, parts : u32, bits : u32, stride : u32, step : u32,
}

@group(0) @binding(0) var<uniform>             dims      : Dims;
@group(0) @binding(1) var<storage, read>       length    : array<u32>;
@group(0) @binding(2) var<storage, read>       taskIndex : array<u32>;
@group(0) @binding(3) var<storage, read>       obs       : array<u32>;
@group(0) @binding(4) var<storage, read_write> table     : array<u32>;
@group(0) @binding(5) var<storage, read_write> match_    : array<u32>;
@group(0) @binding(6) var<storage, read>       action    : array<u32>;

const NONE = 0xffffffffu;

var<workgroup> seeks : array<u32, 64>;
var<workgroup> opener : u32;

/// 32 bits of the observation at word `at`, from bit f on; what lies behind its end is not counted.
fn bitsFrom(at : u32, f : u32) -> u32 {
  let k = at + (f >> 5u);
  let shift = f & 31u;
  if (shift == 0u) { return obs[k]; }
  return (obs[k] >> shift) | (obs[k + 1u] << (32u - shift));
}

/// The lowest n bits.
fn lowest(n : u32) -> u32 { return select((1u << n) - 1u, NONE, n >= 32u); }

/// Of `count` cells from bit `begin` on, whose bits are `apart` bits from one plane to the next, how many differ.
fn differIn(a : u32, b : u32, begin : u32, count : u32, planes : u32, apart : u32) -> u32 {
  var n = 0u;
  for (var c = 0u; c < count; c += 32u) {
    var other = 0u;
    for (var j = 0u; j < planes; j++) {
      let f = begin + c + j * apart;
      other |= bitsFrom(a, f) ^ bitsFrom(b, f);
    }
    n += countOneBits(other & lowest(count - c));
  }
  return n;
}

/// How many of the first `count` bytes differ.
fn bytesDiffer(a : u32, b : u32, count : u32) -> u32 {
  var n = 0u;
  for (var c = 0u; c < count; c += 4u) {
    var other = (obs[a + c / 4u] ^ obs[b + c / 4u]) & lowest(8u * (count - c));
    other |= other >> 4u;
    other |= other >> 2u;
    other |= other >> 1u;
    n += countOneBits(other & 0x01010101u);
  }
  return n;
}

/// Which bit is the first in the first word that is not 0.
fn stateIn(at : u32) -> u32 {
  for (var w = 0u; w < dims.words; w++) {
    if (obs[at + w] != 0u) { return 32u * w + firstLeadingBit(obs[at + w]); }
  }
  return NONE;
}

/// Do the observations at these words differ in few enough cells?
fn alike(a : u32, b : u32) -> bool {
  if (dims.parts == 0u) { return dims.most >= 1u || stateIn(a) == stateIn(b); }
  let bits = dims.parts * dims.bits;
  var n = differIn(a, b, bits, dims.features - bits, 1u, 0u);
  if (dims.stride == 1u) { n += differIn(a, b, 0u, dims.parts, dims.bits, dims.step); }
  else { n += bytesDiffer(a, b, dims.parts); }
  return n <= dims.most;
}

/// Word at which the observation of step k of the block from row `top` on begins; every row has one more than steps.
fn obsOf(top : u32, k : u32) -> u32 { return (top * dims.T + k + top + k / dims.T) * dims.words; }

/// Does step k belong to the set that step `first` has opened?
fn joins(top : u32, first : u32, k : u32) -> bool {
  if (taskIndex[top + first / dims.T] != taskIndex[top + k / dims.T]) { return false; }
  return alike(obsOf(top, first), obsOf(top, k));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let begin = (group.x + group.y * 65535u) * dims.block;
  if (begin >= dims.B) { return; }
  let top = group.z * dims.B + begin;
  let steps = min(dims.block, dims.B - begin) * dims.T;
  // first steps of the sets, in the order in which they were opened
  let place = 2u * top * dims.T;
  var sets = 0u;
  for (var chunk = 0u; chunk < steps; chunk += 64u) {
    let k = chunk + local;
    let isReal = k < steps && k % dims.T < length[top + k / dims.T];
    var found = NONE;
    if (isReal && action[top * dims.T + k] >= dims.first) { found = k; }
    if (isReal && found == NONE) {
      for (var c = 0u; c < sets; c++) {
        let first = table[place + c];
        if (joins(top, first, k)) { found = first; break; }
      }
    }
    loop {
      seeks[local] = select(0u, 1u, isReal && found == NONE);
      workgroupBarrier();
      if (local == 0u) {
        opener = NONE;
        for (var j = 0u; j < 64u; j++) {
          if (seeks[j] == 1u) { opener = chunk + j; break; }
        }
        if (opener != NONE) { table[place + sets] = opener; }
      }
      let first = workgroupUniformLoad(&opener);
      if (first == NONE) { break; }
      sets++;
      if (isReal && found == NONE && (k == first || joins(top, first, k))) { found = first; }
    }
    storageBarrier();
    if (k < steps) { match_[top * dims.T + k] = select(NONE, begin * dims.T + found, isReal); }
  }
}
