// Sokoban on packed words: the twin of rules.ts and observe.ts, bit for bit, random draws included.
//
// Linked into a kernel that declares, the last two in memory of any kind,
//   var<storage, read>       levels : array<u32>     packed levels, see pack.ts
//   state  : array<u32>                              10 words per state
//   obs    : array<u32>                              observation bits, or tokens packed four per word
// and provides threefry(key, ctr) -> vec2u, random(seed, purpose, a, b, c) -> u32, below(x, n) -> u32.
//
// Entry points, one invocation = one environment; levelAt, stateAt, obsAt are word offsets:
//   envReset(levelAt, stateAt)                              first state
//   envStep(levelAt, stateAt, action, seed) -> EnvResult    one step in place; reward in thousandths
//   envObserve(levelAt, stateAt, obsAt)                     writes ceil(features / 32) words
//   envKey(stateAt) -> vec2u                                64-bit key (high, low), clock not included
//   envLegal(levelAt, stateAt) -> u32                       bit a = 1: action a is legal
//   envLimit(levelAt) -> u32                                step limit of the level
//
// Squares are y·16 + x on a 16 × 16 board; a mask is 8 words, square s = bit (s & 31) of word s >> 5. A step is a few bit
// tests, no loop over cells. State words: 0 square of the player · 1–8 boxes · 9 t | status<<16.
// Level words: 0 W | H<<8 · 1 T | mask<<16 | deadEnd<<17 · 2 player · 3 view (0 planes, 1 tokens, 2 index, 3 around) · 4 features ·
// 5 rows of the key table · 6–8 slip · 9–14 rewards step, boxOn, boxOff, goal, invalid, dead · 16–23 walls ·
// 24–31 targets · 32–39 dead squares · 40–47 boxes · 48–54 tokens of a cell: target 1, box 2, agent 4, wall 6 ·
// 56… key table.

struct EnvResult { reward : i32, flags : u32 }

const ENV_WORDS = 10u;

const TERMINATED = 1u;
const TRUNCATED = 2u;
const SUCCESS = 4u;
const DEAD = 8u;
const INVALID = 16u;
const NO_EFFECT = 32u;
const EV_PUSH = 256u;
const EV_BOX_ON = 512u;
const EV_BOX_OFF = 1024u;
const EV_DEAD_SQUARE = 2048u;

const WALLS = 16u;
const TARGETS = 24u;
const DEAD_SQUARES = 32u;
const BOXES = 40u;
const TOKENS = 48u;
const KEYS = 56u;

fn inLevel(levelAt : u32, mask : u32, square : u32) -> bool {
  return ((levels[levelAt + mask + (square >> 5u)] >> (square & 31u)) & 1u) == 1u;
}
fn hasBox(stateAt : u32, square : u32) -> bool {
  return ((state[stateAt + 1u + (square >> 5u)] >> (square & 31u)) & 1u) == 1u;
}
fn flipBox(stateAt : u32, square : u32) {
  let at = stateAt + 1u + (square >> 5u);
  state[at] = state[at] ^ (1u << (square & 31u));
}
fn envLimit(levelAt : u32) -> u32 { return levels[levelAt + 1u] & 0xffffu; }
fn rewardOf(levelAt : u32, which : u32) -> i32 { return bitcast<i32>(levels[levelAt + 9u + which]); }

/// Square one step away; floor never touches the edge of the board.
fn ahead(square : u32, direction : u32) -> u32 {
  let shift = select(1u, 16u, (direction & 1u) == 1u);
  return select(square + shift, square - shift, direction >= 2u);
}

fn isPossible(levelAt : u32, stateAt : u32, direction : u32) -> bool {
  if (direction > 3u) { return false; }
  let to = ahead(state[stateAt], direction);
  if (inLevel(levelAt, WALLS, to)) { return false; }
  if (!hasBox(stateAt, to)) { return true; }
  let beyond = ahead(to, direction);
  return !inLevel(levelAt, WALLS, beyond) && !hasBox(stateAt, beyond);
}

fn isSolved(levelAt : u32, stateAt : u32) -> bool {
  var off = 0u;
  for (var w = 0u; w < 8u; w++) { off = off | (state[stateAt + 1u + w] & ~levels[levelAt + TARGETS + w]); }
  return off == 0u;
}

/// Direction in which the player really goes: slippery floor may turn it.
fn slipped(levelAt : u32, direction : u32, t : u32, seed : u32) -> u32 {
  let left = levels[levelAt + 6u];
  let straight = levels[levelAt + 7u];
  let right = levels[levelAt + 8u];
  if (left + right == 0u || direction > 3u) { return direction; }
  let u = below(random(seed, 2u, t, 0u, 0u), left + straight + right);
  if (u < left) { return (direction + 3u) & 3u; }
  return select((direction + 1u) & 3u, direction, u < left + straight);
}

fn envReset(levelAt : u32, stateAt : u32) {
  state[stateAt] = levels[levelAt + 2u];
  for (var w = 0u; w < 8u; w++) { state[stateAt + 1u + w] = levels[levelAt + BOXES + w]; }
  state[stateAt + 9u] = 0u;
}

fn envStep(levelAt : u32, stateAt : u32, action : u32, seed : u32) -> EnvResult {
  let clock = state[stateAt + 9u];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  let t = clock & 0xffffu;
  var reward = rewardOf(levelAt, 0u);
  var flags = 0u;
  let direction = slipped(levelAt, action, t, seed);
  if (isPossible(levelAt, stateAt, direction)) {
    let to = ahead(state[stateAt], direction);
    state[stateAt] = to;
    if (hasBox(stateAt, to)) {
      let beyond = ahead(to, direction);
      flipBox(stateAt, to);
      flipBox(stateAt, beyond);
      flags = flags | EV_PUSH;
      let wasOn = inLevel(levelAt, TARGETS, to);
      let isOn = inLevel(levelAt, TARGETS, beyond);
      if (isOn && !wasOn) {
        flags = flags | EV_BOX_ON;
        reward += rewardOf(levelAt, 1u);
      }
      if (wasOn && !isOn) {
        flags = flags | EV_BOX_OFF;
        reward += rewardOf(levelAt, 2u);
      }
      if (inLevel(levelAt, DEAD_SQUARES, beyond)) {
        flags = flags | EV_DEAD_SQUARE;
        if (((levels[levelAt + 1u] >> 17u) & 1u) == 1u) {
          flags = flags | TERMINATED | DEAD;
          reward += rewardOf(levelAt, 5u);
        }
      }
    }
  } else {
    flags = flags | INVALID | NO_EFFECT;
    reward += rewardOf(levelAt, 4u);
  }
  if (isSolved(levelAt, stateAt)) {
    flags = flags | TERMINATED | SUCCESS;
    reward += rewardOf(levelAt, 3u);
  }
  if ((flags & TERMINATED) == 0u && t + 1u >= envLimit(levelAt)) { flags = flags | TRUNCATED; }
  state[stateAt + 9u] = (t + 1u) | ((flags & 15u) << 16u);
  return EnvResult(reward, flags);
}

fn envKey(stateAt : u32) -> vec2u {
  var h = vec2u(0x53544154u, 2u);
  for (var w = 0u; w < 8u; w += 2u) { h = threefry(h, vec2u(state[stateAt + w], state[stateAt + w + 1u])); }
  return threefry(h, vec2u(state[stateAt + 8u], 0u));
}

fn envLegal(levelAt : u32, stateAt : u32) -> u32 {
  if (((levels[levelAt + 1u] >> 16u) & 1u) == 0u) { return 0xffffffffu; }
  var bits = 0u;
  for (var a = 0u; a < 4u; a++) {
    if (isPossible(levelAt, stateAt, a)) { bits |= 1u << a; }
  }
  return select(bits, 0xffffffffu, bits == 0u);
}

fn setBit(obsAt : u32, f : u32) {
  obs[obsAt + (f >> 5u)] = obs[obsAt + (f >> 5u)] | (1u << (f & 31u));
}

/// Row of the state in the sorted key table, by binary search.
fn rowOf(levelAt : u32, stateAt : u32) -> u32 {
  let key = envKey(stateAt);
  let keys = levelAt + KEYS;
  var low = 0u;
  var high = levels[levelAt + 5u] - 1u;
  while (low < high) {
    let mid = (low + high) >> 1u;
    let other = vec2u(levels[keys + 2u * mid], levels[keys + 2u * mid + 1u]);
    if (other.x < key.x || (other.x == key.x && other.y < key.y)) { low = mid + 1u; } else { high = mid; }
  }
  return low;
}

fn observeCell(levelAt : u32, stateAt : u32, obsAt : u32, cell : u32, cells : u32, square : u32) {
  let wall = inLevel(levelAt, WALLS, square);
  let goal = inLevel(levelAt, TARGETS, square);
  let box = hasBox(stateAt, square);
  let agent = square == state[stateAt];
  if (levels[levelAt + 3u] == 1u) {
    let shown = select(0u, 1u, goal) + select(select(0u, 4u, agent), 2u, box);
    let id = levels[levelAt + TOKENS + select(shown, 6u, wall)];
    obs[obsAt + (cell >> 2u)] = obs[obsAt + (cell >> 2u)] | (id << (8u * (cell & 3u)));
    return;
  }
  if (wall) { setBit(obsAt, cell); }
  if (goal) { setBit(obsAt, cells + cell); }
  if (box) { setBit(obsAt, 2u * cells + cell); }
  if (agent) { setBit(obsAt, 3u * cells + cell); }
}

/// Floor, targets and boxes in a window of 2W − 5 × 2H − 5 cells with the player in the middle.
fn observeAround(levelAt : u32, stateAt : u32, obsAt : u32, W : u32, H : u32) {
  let width = 2u * W - 5u;
  let cells = width * (2u * H - 5u);
  let player = state[stateAt];
  for (var y = 1u; y < H - 1u; y++) {
    for (var x = 1u; x < W - 1u; x++) {
      let square = y * 16u + x;
      if (inLevel(levelAt, WALLS, square)) { continue; }
      let cell = (y + H - 3u - (player >> 4u)) * width + x + W - 3u - (player & 15u);
      setBit(obsAt, cell);
      if (inLevel(levelAt, TARGETS, square)) { setBit(obsAt, cells + cell); }
      if (hasBox(stateAt, square)) { setBit(obsAt, 2u * cells + cell); }
    }
  }
}

fn envObserve(levelAt : u32, stateAt : u32, obsAt : u32) {
  for (var w = 0u; w < (levels[levelAt + 4u] + 31u) / 32u; w++) { obs[obsAt + w] = 0u; }
  if (levels[levelAt + 3u] == 2u) { setBit(obsAt, rowOf(levelAt, stateAt)); return; }
  let W = levels[levelAt] & 255u;
  let H = levels[levelAt] >> 8u;
  if (levels[levelAt + 3u] == 3u) { observeAround(levelAt, stateAt, obsAt, W, H); return; }
  for (var y = 0u; y < H; y++) {
    for (var x = 0u; x < W; x++) { observeCell(levelAt, stateAt, obsAt, y * W + x, W * H, y * 16u + x); }
  }
}
