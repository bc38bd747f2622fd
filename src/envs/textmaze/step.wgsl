// Text-maze on packed words: the twin of rules.ts and say.ts, bit for bit, random draws included.
//
// Linked into a kernel that declares, the last two in memory of any kind,
//   var<storage, read>       levels : array<u32>     packed levels, see pack.ts
//   state  : array<u32>                              4 words per state
//   obs    : array<u32>                              observation bits
// and provides threefry(key, ctr) -> vec2u, random(seed, purpose, a, b, c) -> u32, below(x, n) -> u32.
//
// Entry points, one invocation = one environment; levelAt, stateAt, obsAt are word offsets:
//   envReset(levelAt, stateAt)                              first state
//   envStep(levelAt, stateAt, action, seed) -> EnvResult    one step in place; reward in thousandths
//   envObserve(levelAt, stateAt, obsAt)                     writes ceil(features / 32) words
//   envKey(stateAt) -> vec2u                                64-bit key (high, low) of words 0 and 1
//   envLegal(levelAt, stateAt) -> u32                       bit a = 1: action a is legal
//   envLimit(levelAt) -> u32                                step limit of the level
//
// Level words: 0 rooms | actions<<8 | T<<16 · 1 mask | goalFirst<<1 | view<<8 (0 bag, 1 tokens, 2 index) · 2 start ·
// 3 goal kind | item<<8 | room<<16 (255 none) · 4–6 slip · 7–12 rewards goal, step, subgoal, invalid, syntax, meta ·
// 13 features · 14 rows of the key table · 15 size of the vocabulary · 16 rooms of the keys, a byte each (255 none) ·
// 17 rooms of the items · 18 rooms that tell their exits a quarter turn off, a bit each · 20–23 tokens of the room names, a byte each · 24–87 exits, room·4 + direction:
// room | way<<8 | (color + 1)<<16, color + 1 = 0 for an open way, all ones for a wall · then the key table.

struct EnvResult { reward : i32, flags : u32 }

const ENV_WORDS = 4u;
const WALL = 0xffffffffu;
const NOBODY = 255u;

const TERMINATED = 1u;
const TRUNCATED = 2u;
const SUCCESS = 4u;
const INVALID = 16u;
const NO_EFFECT = 32u;
const EV_KEY = 256u;
const EV_UNLOCK = 512u;
const EV_ITEM = 1024u;
const EV_NEW_ROOM = 2048u;
const EV_META = 4096u;
const EV_SYNTAX = 8192u;

// feedback; 0 is the start
const F_MOVED = 1u;
const F_WALL = 2u;
const F_LOCKED = 3u;
const F_TOOK = 4u;
const F_OPENED = 5u;
const F_ABSENT = 6u;
const F_NO_KEY = 7u;
const F_NO_DOOR = 8u;
const F_LOOK = 9u;
const F_PLAN = 10u;
const F_RECALL = 11u;
const F_SYNTAX = 12u;

const R_GOAL = 0u;
const R_STEP = 1u;
const R_SUBGOAL = 2u;
const R_INVALID = 3u;
const R_SYNTAX = 4u;
const R_META = 5u;

// kinds of sentences
const S_FEEDBACK = 0u;
const S_ROOM = 1u;
const S_EXITS = 2u;
const S_LOCKED = 3u;
const S_HERE = 4u;
const S_HAVE = 5u;
const S_GOAL = 6u;

// tokens of src/envs/vocabulary.ts
const W_STOP = 4u;
const W_YOU = 5u;
const W_ARE = 6u;
const W_IN = 7u;
const W_EXITS = 8u;
const W_NONE = 9u;
const W_LOCKED = 10u;
const W_DOOR = 11u;
const W_HERE = 12u;
const W_HAVE = 13u;
const W_NOTHING = 14u;
const W_GOAL = 15u;
const W_REACH = 16u;
const W_NO = 19u;
const W_WAY = 20u;
const W_TAKEN = 21u;
const W_UNLOCKED = 22u;
const W_NOT = 23u;
const W_KEY = 24u;
const W_SEEN = 25u;
const W_WHAT = 26u;
const W_EAST = 32u;
const W_RED = 36u;
const W_LAMP = 40u;

var<private> stepReward : i32;
var<private> stepFlags : u32;

fn rewardOf(levelAt : u32, which : u32) -> i32 { return bitcast<i32>(levels[levelAt + 7u + which]); }
fn byteOf(word : u32, k : u32) -> u32 { return (word >> (8u * (k & 3u))) & 255u; }
fn roomsOf(levelAt : u32) -> u32 { return levels[levelAt] & 255u; }
fn actionsOf(levelAt : u32) -> u32 { return (levels[levelAt] >> 8u) & 255u; }
fn roomToken(levelAt : u32, room : u32) -> u32 { return byteOf(levels[levelAt + 20u + (room >> 2u)], room); }
fn exitOf(levelAt : u32, room : u32, direction : u32) -> u32 { return levels[levelAt + 24u + 4u * room + direction]; }

fn here(stateAt : u32) -> u32 { return state[stateAt] & 15u; }
fn hasKey(stateAt : u32, color : u32) -> bool { return ((state[stateAt] >> (4u + color)) & 1u) == 1u; }
fn hasItem(stateAt : u32, item : u32) -> bool { return ((state[stateAt] >> (8u + item)) & 1u) == 1u; }

fn isKeyHere(levelAt : u32, stateAt : u32, color : u32) -> bool {
  return byteOf(levels[levelAt + 16u], color) == here(stateAt) && !hasKey(stateAt, color);
}

fn isItemHere(levelAt : u32, stateAt : u32, item : u32) -> bool {
  return byteOf(levels[levelAt + 17u], item) == here(stateAt) && !hasItem(stateAt, item);
}

/// True if the exit is a door that is still locked; not for walls.
fn isLocked(stateAt : u32, found : u32) -> bool {
  return (found >> 16u) != 0u && ((state[stateAt + 1u] >> ((found >> 8u) & 31u)) & 1u) == 0u;
}

/// Bits of the locked doors of a color around the agent.
fn doorsAround(levelAt : u32, stateAt : u32, color : u32) -> u32 {
  var doors = 0u;
  for (var direction = 0u; direction < 4u; direction++) {
    let found = exitOf(levelAt, here(stateAt), direction);
    if (found != WALL && (found >> 16u) == color + 1u && isLocked(stateAt, found)) {
      doors |= 1u << ((found >> 8u) & 31u);
    }
  }
  return doors;
}

/// Direction in which the agent really goes.
fn slipped(levelAt : u32, direction : u32, t : u32, seed : u32) -> u32 {
  let left = levels[levelAt + 4u];
  let straight = levels[levelAt + 5u];
  let right = levels[levelAt + 6u];
  if (left + right == 0u) { return direction; }
  let u = below(random(seed, 2u, t, 0u, 0u), left + straight + right);
  if (u >= left && u < left + straight) { return direction; }
  return (direction + select(1u, 3u, u < left)) & 3u;
}

fn go(levelAt : u32, stateAt : u32, direction : u32) -> u32 {
  let found = exitOf(levelAt, here(stateAt), direction);
  if (found == WALL) { return F_WALL; }
  if (isLocked(stateAt, found)) { return F_LOCKED; }
  let to = found & 255u;
  state[stateAt] = (state[stateAt] & ~15u) | to;
  if (((state[stateAt + 2u] >> to) & 1u) == 0u) { stepFlags |= EV_NEW_ROOM; }
  state[stateAt + 2u] = state[stateAt + 2u] | (1u << to);
  return F_MOVED;
}

fn takeKey(levelAt : u32, stateAt : u32, color : u32) -> u32 {
  if (!isKeyHere(levelAt, stateAt, color)) { return F_ABSENT; }
  state[stateAt] = state[stateAt] | (1u << (4u + color));
  stepFlags |= EV_KEY;
  stepReward += rewardOf(levelAt, R_SUBGOAL);
  return F_TOOK;
}

fn unlock(levelAt : u32, stateAt : u32, color : u32) -> u32 {
  let doors = doorsAround(levelAt, stateAt, color);
  if (doors == 0u) { return F_NO_DOOR; }
  if (!hasKey(stateAt, color)) { return F_NO_KEY; }
  state[stateAt + 1u] = state[stateAt + 1u] | doors;
  stepFlags |= EV_UNLOCK;
  stepReward += rewardOf(levelAt, R_SUBGOAL);
  return F_OPENED;
}

fn takeItem(levelAt : u32, stateAt : u32, item : u32) -> u32 {
  if (!isItemHere(levelAt, stateAt, item)) { return F_ABSENT; }
  state[stateAt] = state[stateAt] | (1u << (8u + item));
  stepFlags |= EV_ITEM;
  if (byteOf(levels[levelAt + 3u], 1u) == item) { stepReward += rewardOf(levelAt, R_SUBGOAL); }
  return F_TOOK;
}

/// Does what the command says; returns the feedback.
fn act(levelAt : u32, stateAt : u32, action : u32, t : u32, seed : u32) -> u32 {
  if (action >= actionsOf(levelAt)) {
    stepFlags |= EV_SYNTAX | INVALID;
    stepReward += rewardOf(levelAt, R_SYNTAX);
    return F_SYNTAX;
  }
  if (action < 4u) { return go(levelAt, stateAt, slipped(levelAt, action, t, seed)); }
  if (action < 8u) { return takeKey(levelAt, stateAt, action - 4u); }
  if (action < 12u) { return unlock(levelAt, stateAt, action - 8u); }
  if (action < 15u) { return takeItem(levelAt, stateAt, action - 12u); }
  if (action == 15u) { return F_LOOK; }
  stepFlags |= EV_META;
  stepReward += rewardOf(levelAt, R_META);
  return select(F_RECALL, F_PLAN, action == 16u);
}

fn isGoalReached(levelAt : u32, stateAt : u32) -> bool {
  let item = byteOf(levels[levelAt + 3u], 1u);
  let room = byteOf(levels[levelAt + 3u], 2u);
  if (item != NOBODY && !hasItem(stateAt, item)) { return false; }
  return room == NOBODY || room == here(stateAt);
}

fn envReset(levelAt : u32, stateAt : u32) {
  let start = levels[levelAt + 2u];
  state[stateAt] = start;
  state[stateAt + 1u] = 0u;
  state[stateAt + 2u] = 1u << start;
  state[stateAt + 3u] = 0u;
}

fn envStep(levelAt : u32, stateAt : u32, action : u32, seed : u32) -> EnvResult {
  let clock = state[stateAt + 3u];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  let t = clock & 0xffffu;
  let before = vec2u(state[stateAt], state[stateAt + 1u]);
  stepReward = rewardOf(levelAt, R_STEP);
  stepFlags = 0u;
  let feedback = act(levelAt, stateAt, action, t, seed);
  state[stateAt + 2u] = (state[stateAt + 2u] & 0xffffu) | (feedback << 16u);
  if (feedback == F_WALL || feedback == F_LOCKED || (feedback >= F_ABSENT && feedback <= F_NO_DOOR)) {
    stepFlags |= INVALID;
    stepReward += rewardOf(levelAt, R_INVALID);
  }
  if (all(before == vec2u(state[stateAt], state[stateAt + 1u]))) { stepFlags |= NO_EFFECT; }
  if (isGoalReached(levelAt, stateAt)) {
    stepFlags |= TERMINATED | SUCCESS;
    stepReward += rewardOf(levelAt, R_GOAL);
  } else if (t + 1u >= envLimit(levelAt)) {
    stepFlags |= TRUNCATED;
  }
  state[stateAt + 3u] = (t + 1u) | ((stepFlags & 15u) << 16u);
  return EnvResult(stepReward, stepFlags);
}

fn envKey(stateAt : u32) -> vec2u {
  return threefry(vec2u(0x53544154u, 3u), vec2u(state[stateAt], state[stateAt + 1u]));
}

fn envLimit(levelAt : u32) -> u32 { return levels[levelAt] >> 16u; }

fn envLegal(levelAt : u32, stateAt : u32) -> u32 {
  if ((levels[levelAt + 1u] & 1u) == 0u) { return 0xffffffffu; }
  var bits = 0u;
  for (var k = 0u; k < 4u; k++) {
    let found = exitOf(levelAt, here(stateAt), k);
    if (found != WALL && !isLocked(stateAt, found)) { bits |= 1u << k; }
    if (isKeyHere(levelAt, stateAt, k)) { bits |= 16u << k; }
    if (hasKey(stateAt, k) && doorsAround(levelAt, stateAt, k) != 0u) { bits |= 256u << k; }
    if (k < 3u && isItemHere(levelAt, stateAt, k)) { bits |= 4096u << k; }
  }
  for (var action = 15u; action < actionsOf(levelAt); action++) { bits |= 1u << action; }
  return bits;
}

// What is said goes word by word into the observation, as packed tokens or as a bag of words. A driver compiles a function
// anew wherever it is called, so words are said from few places.
var<private> sayAt : u32;
var<private> sayCount : u32;
var<private> sayAsBag : bool;
var<private> sayVocabulary : u32;

fn setBit(obsAt : u32, f : u32) {
  obs[obsAt + (f >> 5u)] = obs[obsAt + (f >> 5u)] | (1u << (f & 31u));
}

fn word(kind : u32, token : u32) {
  if (sayAsBag && token == W_STOP) { return; }
  let f = kind * sayVocabulary + token;
  let at = sayAt + select(sayCount >> 2u, f >> 5u, sayAsBag);
  obs[at] = obs[at] | select(token << (8u * (sayCount & 3u)), 1u << (f & 31u), sayAsBag);
  sayCount++;
}

fn four(a : u32, b : u32, c : u32, d : u32) -> u32 { return a | (b << 8u) | (c << 16u) | (d << 24u); }

/// Up to four words, a byte each and 0 for none, then a full stop.
fn sentence(kind : u32, words : u32) {
  for (var k = 0u; k < 5u; k++) {
    var token = W_STOP;
    if (k < 4u) { token = byteOf(words, k); }
    if (token != 0u) { word(kind, token); }
  }
}

fn sayFeedback(levelAt : u32, stateAt : u32) {
  let seen = state[stateAt + 2u] & 0xffffu;
  var words = 0u;
  switch ((state[stateAt + 2u] >> 16u) & 255u) {
    case F_WALL: { words = four(W_NO, W_WAY, 0u, 0u); }
    case F_LOCKED: { words = four(W_DOOR, W_LOCKED, 0u, 0u); }
    case F_TOOK: { words = W_TAKEN; }
    case F_OPENED: { words = W_UNLOCKED; }
    case F_ABSENT: { words = four(W_NOT, W_HERE, 0u, 0u); }
    case F_NO_KEY: { words = four(W_NO, W_KEY, 0u, 0u); }
    case F_NO_DOOR: { words = four(W_NO, W_DOOR, 0u, 0u); }
    case F_SYNTAX: { words = W_WHAT; }
    case F_RECALL: {
      word(S_FEEDBACK, W_SEEN);
      for (var room = 0u; room < roomsOf(levelAt); room++) {
        if (((seen >> room) & 1u) == 1u) { word(S_FEEDBACK, roomToken(levelAt, room)); }
      }
    }
    default: { return; }
  }
  sentence(S_FEEDBACK, words);
}

fn sayExits(levelAt : u32, stateAt : u32) {
  let turned = (levels[levelAt + 18u] >> here(stateAt)) & 1u;
  // the color + 1 of the locked door in each direction, a byte each
  var locked = 0u;
  var open = 0u;
  word(S_EXITS, W_EXITS);
  for (var direction = 0u; direction < 4u; direction++) {
    let found = exitOf(levelAt, here(stateAt), (direction + 4u - turned) & 3u);
    if (found == WALL) { continue; }
    if (isLocked(stateAt, found)) { locked |= (found >> 16u) << (8u * direction); continue; }
    word(S_EXITS, W_EAST + direction);
    open++;
  }
  sentence(S_EXITS, select(0u, W_NONE, open == 0u));
  for (var direction = 0u; direction < 4u; direction++) {
    let color = byteOf(locked, direction);
    if (color == 0u) { continue; }
    if (sayAsBag) {
      setBit(sayAt, S_LOCKED * sayVocabulary + 4u * (color - 1u) + direction);
    } else {
      sentence(S_LOCKED, four(W_LOCKED, W_RED + color - 1u, W_DOOR, W_EAST + direction));
    }
  }
}

/// What lies here, unless that is nothing, and what the agent has: keys in bits 0–3, items in bits 4–6.
fn sayThings(around : u32, held : u32) {
  for (var kind = S_HERE; kind <= S_HAVE; kind++) {
    let things = select(held, around, kind == S_HERE);
    if (kind == S_HERE && around == 0u) { continue; }
    for (var k = 0u; k < 9u; k++) {
      var words = 0u;
      if (k == 0u) {
        words = select(four(W_YOU, W_HAVE, select(0u, W_NOTHING, held == 0u), 0u), W_HERE, kind == S_HERE);
      } else if (k == 8u) {
        words = W_STOP;
      } else if (((things >> (k - 1u)) & 1u) == 1u) {
        words = select(W_LAMP + k - 5u, four(W_RED + k - 1u, W_KEY, 0u, 0u), k < 5u);
      }
      for (; words != 0u; words >>= 8u) { word(kind, words & 255u); }
    }
  }
}

fn sayGoal(levelAt : u32) {
  let goal = levels[levelAt + 3u];
  let item = byteOf(goal, 1u);
  let room = byteOf(goal, 2u);
  let there = select(roomToken(levelAt, room), 0u, room == NOBODY);
  sentence(S_GOAL, four(W_GOAL, W_REACH + (goal & 255u), select(W_LAMP + item, 0u, item == NOBODY), there));
}

/// Row of the state in the sorted key table, by binary search.
fn rowOf(levelAt : u32, stateAt : u32) -> u32 {
  let key = envKey(stateAt);
  let keys = levelAt + 88u;
  var low = 0u;
  var high = levels[levelAt + 14u] - 1u;
  while (low < high) {
    let mid = (low + high) >> 1u;
    let other = vec2u(levels[keys + 2u * mid], levels[keys + 2u * mid + 1u]);
    if (other.x < key.x || (other.x == key.x && other.y < key.y)) { low = mid + 1u; } else { high = mid; }
  }
  return low;
}

fn envObserve(levelAt : u32, stateAt : u32, obsAt : u32) {
  for (var w = 0u; w < (levels[levelAt + 13u] + 31u) / 32u; w++) { obs[obsAt + w] = 0u; }
  let view = (levels[levelAt + 1u] >> 8u) & 255u;
  if (view == 2u) { setBit(obsAt, rowOf(levelAt, stateAt)); return; }
  sayAt = obsAt;
  sayCount = 0u;
  sayAsBag = view == 0u;
  sayVocabulary = levels[levelAt + 15u];
  sayFeedback(levelAt, stateAt);
  sentence(S_ROOM, four(W_YOU, W_ARE, W_IN, roomToken(levelAt, here(stateAt))));
  sayExits(levelAt, stateAt);
  var around = 0u;
  for (var k = 0u; k < 4u; k++) {
    if (isKeyHere(levelAt, stateAt, k)) { around |= 1u << k; }
    if (k < 3u && isItemHere(levelAt, stateAt, k)) { around |= 16u << k; }
  }
  sayThings(around, (state[stateAt] >> 4u) & 127u);
  let feedback = (state[stateAt + 2u] >> 16u) & 255u;
  let isFirst = feedback == 0u || feedback == F_PLAN;
  if ((levels[levelAt + 1u] & 2u) == 0u || isFirst) { sayGoal(levelAt); }
}
