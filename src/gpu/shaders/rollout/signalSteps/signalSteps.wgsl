// Signals of a batch from what the world told of its states: the twin of contract/signalSteps.ts. One invocation per state
// of a row; the first of a row also writes what the row has once. A signal whose place is 0xffffffff is not wanted.
//
// told : [rows, T+1, 8]     key : [rows, T, 2]     action : [rows, T]     length : [rows]     ending : [rows, 4] = success, …
// out : the signals, each from its own place on; padding 0

struct Dims {
  rows : u32, T : u32, of_ : u32, milestone : u32, wastes : u32, effort : u32, own : u32,
  phi : u32, progress : u32, completion : u32, invalid : u32, grounded : u32, novel : u32, repeat : u32, tag : u32, did : u32, hardEvent : u32,
  softPenalty : u32, message : u32, milestoneStep : u32, outcomeScore : u32, factor : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       told   : array<u32>;
@group(0) @binding(2) var<storage, read>       key    : array<u32>;
@group(0) @binding(3) var<storage, read>       action : array<u32>;
@group(0) @binding(4) var<storage, read>       length : array<u32>;
@group(0) @binding(5) var<storage, read>       ending : array<u32>;
@group(0) @binding(6) var<storage, read_write> out    : array<f32>;

const NOWHERE = 0xffffffffu;
const MILESTONES = 16u;

fn put(place : u32, k : u32, value : f32) { if (place != NOWHERE) { out[place + k] = value; } }
fn wordOf(row : u32, t : u32, w : u32) -> u32 { return told[(row * (dims.T + 1u) + t) * 8u + w]; }
fn floatOf(row : u32, t : u32, w : u32) -> f32 { return bitcast<f32>(wordOf(row, t, w)); }
fn flagsOf(row : u32, t : u32) -> u32 { return wordOf(row, t, 7u) & 0xffffffu; }
fn isSet(flags : u32, bit : u32) -> bool { return (flags & bit) != 0u; }

/// Most milestones that held in the states 0 … t.
fn reachedBy(row : u32, t : u32) -> u32 {
  var most = 0u;
  for (var k = 0u; k <= t; k++) { most = max(most, wordOf(row, k, 0u)); }
  return most;
}

fn shareOf(row : u32, reached : u32) -> f32 { return f32(reached) / f32(wordOf(row, 0u, 7u) >> 24u); }

fn stateSignals(row : u32, t : u32, isReal : bool) {
  let k = row * (dims.T + 1u) + t;
  var progress = 0.0;
  var completion = 0.0;
  var phi = 0.0;
  if (isReal) {
    progress = shareOf(row, reachedBy(row, t));
    completion = floatOf(row, t, 1u);
    phi = floatOf(row, t, 2u);
    if (dims.of_ == 1u) { phi = select(completion, progress, dims.milestone == 0u); }
  }
  put(dims.progress, k, progress);
  put(dims.completion, k, completion);
  put(dims.phi, k, phi);
}

fn isNew(row : u32, t : u32) -> bool {
  let own = vec2u(wordOf(row, t + 1u, 5u), wordOf(row, t + 1u, 6u));
  for (var k = 0u; k <= t; k++) {
    if (wordOf(row, k, 5u) == own.x && wordOf(row, k, 6u) == own.y) { return false; }
  }
  return true;
}

/// Tag and action of the world in a tagged action; without tags, and of what is no action, tag 0 and the action.
fn tagOf(a : u32) -> u32 { return select(0u, a / max(dims.own, 1u), dims.own > 0u && a < 5u * dims.own); }
fn untagged(a : u32) -> u32 { return select(a, a % max(dims.own, 1u), dims.own > 0u && a < 5u * dims.own); }

fn isRepeated(row : u32, t : u32) -> bool {
  let own = row * dims.T + t;
  for (var k = row * dims.T; k < own; k++) {
    if (untagged(action[k]) == untagged(action[own]) && key[2u * k] == key[2u * own] && key[2u * k + 1u] == key[2u * own + 1u]) { return true; }
  }
  return false;
}

fn stepSignals(row : u32, t : u32, isReal : bool) {
  let k = row * dims.T + t;
  var flags = 0u;
  var isNovel = false;
  var isAgain = false;
  var isHard = false;
  var isWaste = false;
  if (isReal) {
    flags = flagsOf(row, t);
    isNovel = dims.novel != NOWHERE && isNew(row, t);
    isAgain = dims.repeat != NOWHERE && isRepeated(row, t);
    isHard = isSet(flags, 8u) || wordOf(row, t + 1u, 4u) > wordOf(row, t, 4u);
    isWaste = dims.wastes == 1u && isSet(flags, 256u) && floatOf(row, t + 1u, 3u) > floatOf(row, t, 3u);
    isWaste = isWaste || (dims.wastes == 2u && isSet(flags, 32u) && !isSet(flags, 16u));
  }
  let isInvalid = isSet(flags, 16u);
  put(dims.invalid, k, select(0.0, 1.0, isInvalid));
  put(dims.grounded, k, select(0.0, 1.0, isReal && !isInvalid));
  put(dims.novel, k, select(0.0, 1.0, isNovel));
  put(dims.repeat, k, select(0.0, 1.0, isAgain));
  put(dims.tag, k, select(0.0, f32(tagOf(action[k])), isReal));
  put(dims.did, k, select(0.0, f32(untagged(action[k])), isReal));
  put(dims.hardEvent, k, select(0.0, 1.0, isHard));
  put(dims.softPenalty, 2u * k, select(0.0, select(1.0, 0.7, isInvalid), isReal));
  put(dims.softPenalty, 2u * k + 1u, select(0.0, select(1.0, 0.9, isWaste), isReal));
  put(dims.message, k, f32(flags >> 4u));
}

fn effortOf(flags : u32) -> f32 {
  if (dims.effort == 1u) { return select(0.0, 1.0, isSet(flags, 256u)); }
  return select(1.0, 3.0, dims.effort == 0u && isSet(flags, 16u));
}

fn rowSignals(row : u32) {
  let long = length[row];
  for (var k = 0u; k < MILESTONES; k++) { put(dims.milestoneStep, row * MILESTONES + k, -1.0); }
  var most = wordOf(row, 0u, 0u);
  var effort = 0.0;
  for (var t = 0u; t < long; t++) {
    let reached = wordOf(row, t + 1u, 0u);
    for (var k = most; k < min(reached, MILESTONES); k++) { put(dims.milestoneStep, row * MILESTONES + k, f32(t)); }
    most = max(most, reached);
    effort += effortOf(flagsOf(row, t));
  }
  let isSuccess = ending[4u * row] == 1u;
  put(dims.outcomeScore, row, select(0.5 * shareOf(row, most), 1.0, isSuccess));
  put(dims.factor, 3u * row, select(0.0, 1.0, isSuccess));
  put(dims.factor, 3u * row + 1u, f32(most));
  put(dims.factor, 3u * row + 2u, -effort);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * (dims.T + 1u)) { return; }
  let row = id / (dims.T + 1u);
  let t = id - row * (dims.T + 1u);
  stateSignals(row, t, t <= length[row]);
  if (t < dims.T) { stepSignals(row, t, t < length[row]); }
  if (t == 0u) { rowSignals(row); }
}
