// Grid-world on packed words: the twin of rules.ts and observe.ts, bit for bit, random draws included.
//
// Linked into a kernel that declares
//   var<storage, read>       levels : array<u32>     packed levels, see pack.ts
//   var<storage, read_write> state  : array<u32>     7 words per state
//   var<storage, read_write> obs    : array<u32>     observation bits
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
// Level words: 0 W | H<<8 · 1 T | turn<<16 | mask<<17 | iceAll<<18 | needAll<<19 | timed<<20 | hasExit<<21 |
// noisyTiles<<22 ·
// 2 first word 0 · 3 two bits per direction | count<<16 · 4–6 slip · 7 all keys · 8 goals mask | subgoals<<8 |
// obstacles<<16 · 9–11 obstacle words · 12–18 rewards · 19 tokens of floor, agent<<8, obstacle<<16, red<<24 ·
// 20 view | window<<8 · 21 features · 22 rows of the key table · 23 tokens `you`, `have`<<8, `nothing`<<16, `.`<<24 ·
// 24… cells: kind | index<<8 | color<<16 | token<<24 · then the key table.

struct EnvResult { reward : i32, flags : u32 }

const ENV_WORDS = 7u;
const NO_CELL = 0x3ffu;
const NOWHERE = 0xffffffffu;

const TERMINATED = 1u;
const TRUNCATED = 2u;
const SUCCESS = 4u;
const DEAD = 8u;
const INVALID = 16u;
const NO_EFFECT = 32u;
const EV_KEY = 256u;
const EV_DOOR = 512u;
const EV_SUBGOAL = 1024u;
const EV_BONUS = 2048u;
const EV_COLLISION = 4096u;
const EV_SLIPPED = 8192u;

const K_FLOOR = 0u;
const K_WALL = 1u;
const K_ICE = 2u;
const K_GOAL = 3u;
const K_EXIT = 4u;
const K_LAVA = 5u;
const K_HOLE = 6u;
const K_BONUS = 7u;
const K_KEY = 8u;
const K_LOCKED = 9u;
const K_DOOR = 10u;
const K_SUBGOAL = 11u;
const K_DISTRACTOR = 12u;

var<private> stepReward : i32;
var<private> stepFlags : u32;

fn envLimit(levelAt : u32) -> u32 { return levels[levelAt + 1u] & 0xffffu; }
fn levelFlag(levelAt : u32, bit : u32) -> bool { return ((levels[levelAt + 1u] >> (16u + bit)) & 1u) == 1u; }
fn isTurn(levelAt : u32) -> bool { return levelFlag(levelAt, 0u); }
fn cellWord(levelAt : u32, cell : u32) -> u32 { return levels[levelAt + 24u + cell]; }
fn kindOf(levelAt : u32, cell : u32) -> u32 { return cellWord(levelAt, cell) & 255u; }
fn indexOf(levelAt : u32, cell : u32) -> u32 { return (cellWord(levelAt, cell) >> 8u) & 255u; }
fn colorOf(levelAt : u32, cell : u32) -> u32 { return (cellWord(levelAt, cell) >> 16u) & 255u; }
fn rewardOf(levelAt : u32, which : u32) -> i32 { return bitcast<i32>(levels[levelAt + 12u + which]); }
fn obstacles(levelAt : u32) -> u32 { return (levels[levelAt + 8u] >> 16u) & 255u; }

fn obstacleCell(stateAt : u32, k : u32) -> u32 {
  return (state[stateAt + 3u + k / 3u] >> (10u * (k % 3u))) & NO_CELL;
}

fn setObstacle(stateAt : u32, k : u32, cell : u32) {
  let at = stateAt + 3u + k / 3u;
  let shift = 10u * (k % 3u);
  state[at] = (state[at] & ~(NO_CELL << shift)) | (cell << shift);
}

fn obstacleAt(levelAt : u32, stateAt : u32, cell : u32) -> bool {
  for (var k = 0u; k < obstacles(levelAt); k++) {
    if (obstacleCell(stateAt, k) == cell) { return true; }
  }
  return false;
}

fn stepX(direction : u32) -> i32 { return select(select(0, -1, direction == 2u), 1, direction == 0u); }
fn stepY(direction : u32) -> i32 { return select(select(0, -1, direction == 3u), 1, direction == 1u); }

fn cellAt(levelAt : u32, x : i32, y : i32) -> u32 {
  let W = i32(levels[levelAt] & 255u);
  let H = i32((levels[levelAt] >> 8u) & 255u);
  if (x < 0 || y < 0 || x >= W || y >= H) { return NOWHERE; }
  return u32(y * W + x);
}

fn neighbor(levelAt : u32, cell : u32, direction : u32) -> u32 {
  let W = levels[levelAt] & 255u;
  return cellAt(levelAt, i32(cell % W) + stepX(direction), i32(cell / W) + stepY(direction));
}

fn isClosedDoor(levelAt : u32, stateAt : u32, cell : u32) -> bool {
  let kind = kindOf(levelAt, cell);
  return (kind == K_LOCKED || kind == K_DOOR) && ((state[stateAt + 1u] >> indexOf(levelAt, cell)) & 1u) == 0u;
}

fn canOpen(levelAt : u32, stateAt : u32, cell : u32) -> bool {
  return kindOf(levelAt, cell) == K_DOOR || ((state[stateAt] >> (12u + colorOf(levelAt, cell))) & 1u) == 1u;
}

fn isKeyHere(levelAt : u32, stateAt : u32, cell : u32) -> bool {
  return kindOf(levelAt, cell) == K_KEY && ((state[stateAt + 2u] >> indexOf(levelAt, cell)) & 1u) == 0u;
}

fn takeKey(levelAt : u32, stateAt : u32, cell : u32) {
  state[stateAt] = state[stateAt] | (1u << (12u + colorOf(levelAt, cell)));
  state[stateAt + 2u] = state[stateAt + 2u] | (1u << indexOf(levelAt, cell));
  stepFlags = stepFlags | EV_KEY;
  stepReward = stepReward + rewardOf(levelAt, 5u);
}

fn openDoor(levelAt : u32, stateAt : u32, cell : u32) {
  state[stateAt + 1u] = state[stateAt + 1u] | (1u << indexOf(levelAt, cell));
  stepFlags = stepFlags | EV_DOOR;
  stepReward = stepReward + rewardOf(levelAt, 5u);
}

fn succeed(levelAt : u32, t : u32) {
  stepFlags = stepFlags | TERMINATED | SUCCESS;
  var late = 0;
  if (levelFlag(levelAt, 4u)) { late = i32((900u * (t + 1u)) / envLimit(levelAt)); }
  stepReward = stepReward + rewardOf(levelAt, 0u) - late;
}

fn reachSubgoal(levelAt : u32, stateAt : u32, cell : u32, t : u32) {
  let done = (state[stateAt] >> 16u) & 15u;
  if (indexOf(levelAt, cell) != done + 1u) { return; }
  state[stateAt] = (state[stateAt] & ~(15u << 16u)) | ((done + 1u) << 16u);
  stepFlags = stepFlags | EV_SUBGOAL;
  stepReward = stepReward + rewardOf(levelAt, 5u);
  let subgoals = (levels[levelAt + 8u] >> 8u) & 255u;
  let goals = levels[levelAt + 8u] & 255u;
  if (done + 1u == subgoals && goals == 0u && !levelFlag(levelAt, 5u)) { succeed(levelAt, t); }
}

fn reachGoal(levelAt : u32, stateAt : u32, cell : u32, t : u32) {
  let subgoals = (levels[levelAt + 8u] >> 8u) & 255u;
  if (((state[stateAt] >> 16u) & 15u) < subgoals) { return; }
  if (kindOf(levelAt, cell) == K_EXIT) {
    if (state[stateAt + 2u] == levels[levelAt + 7u]) { succeed(levelAt, t); }
    return;
  }
  let bit = 1u << (20u + indexOf(levelAt, cell));
  if ((state[stateAt] & bit) != 0u) { return; }
  state[stateAt] = state[stateAt] | bit;
  if (!levelFlag(levelAt, 3u)) { succeed(levelAt, t); return; }
  stepFlags = stepFlags | EV_SUBGOAL;
  stepReward = stepReward + rewardOf(levelAt, 5u);
  if (((state[stateAt] >> 20u) & 255u) == (levels[levelAt + 8u] & 255u)) { succeed(levelAt, t); }
}

fn collide(levelAt : u32) {
  stepFlags = stepFlags | EV_COLLISION | TERMINATED | DEAD;
  stepReward = stepReward + rewardOf(levelAt, 3u);
}

/// One cell in a direction; false if blocked.
fn walk(levelAt : u32, stateAt : u32, direction : u32, t : u32) -> bool {
  let to = neighbor(levelAt, state[stateAt] & NO_CELL, direction);
  if (to == NOWHERE) { return false; }
  let kind = kindOf(levelAt, to);
  if (kind == K_WALL) { return false; }
  if (isClosedDoor(levelAt, stateAt, to)) {
    if (isTurn(levelAt) || !canOpen(levelAt, stateAt, to)) { return false; }
    openDoor(levelAt, stateAt, to);
  }
  if (isTurn(levelAt) && isKeyHere(levelAt, stateAt, to)) { return false; }
  state[stateAt] = (state[stateAt] & ~NO_CELL) | to;
  if (obstacleAt(levelAt, stateAt, to)) { collide(levelAt); return true; }
  switch (kind) {
    case K_LAVA, K_HOLE: {
      stepFlags = stepFlags | TERMINATED | DEAD;
      stepReward = stepReward + rewardOf(levelAt, 2u);
    }
    case K_KEY: { if (isKeyHere(levelAt, stateAt, to)) { takeKey(levelAt, stateAt, to); } }
    case K_BONUS: {
      stepFlags = stepFlags | EV_BONUS;
      stepReward = stepReward + rewardOf(levelAt, 4u);
    }
    case K_SUBGOAL: { reachSubgoal(levelAt, stateAt, to, t); }
    case K_GOAL, K_EXIT: { reachGoal(levelAt, stateAt, to, t); }
    default: {}
  }
  return true;
}

/// Direction in which the agent really walks: ice may turn it.
fn slipped(levelAt : u32, stateAt : u32, direction : u32, t : u32, seed : u32) -> u32 {
  let left = levels[levelAt + 4u];
  let straight = levels[levelAt + 5u];
  let right = levels[levelAt + 6u];
  let onIce = levelFlag(levelAt, 2u) || kindOf(levelAt, state[stateAt] & NO_CELL) == K_ICE;
  if (!onIce || left + right == 0u) { return direction; }
  let u = below(random(seed, 2u, t, 0u, 0u), left + straight + right);
  if (u >= left && u < left + straight) { return direction; }
  stepFlags = stepFlags | EV_SLIPPED;
  return (direction + select(1u, 3u, u < left)) & 3u;
}

fn act(levelAt : u32, stateAt : u32, action : u32, t : u32, seed : u32) -> bool {
  if (!isTurn(levelAt)) {
    if (action >= (levels[levelAt + 3u] >> 16u)) { return false; }
    let direction = (levels[levelAt + 3u] >> (2u * action)) & 3u;
    return walk(levelAt, stateAt, slipped(levelAt, stateAt, direction, t, seed), t);
  }
  let direction = (state[stateAt] >> 10u) & 3u;
  if (action <= 1u) {
    let turned = (direction + select(1u, 3u, action == 0u)) & 3u;
    state[stateAt] = (state[stateAt] & ~(3u << 10u)) | (turned << 10u);
    return true;
  }
  if (action == 2u) { return walk(levelAt, stateAt, slipped(levelAt, stateAt, direction, t, seed), t); }
  if (action > 4u) { return false; }
  let ahead = neighbor(levelAt, state[stateAt] & NO_CELL, direction);
  if (ahead == NOWHERE) { return false; }
  if (action == 3u) {
    if (!isKeyHere(levelAt, stateAt, ahead)) { return false; }
    takeKey(levelAt, stateAt, ahead);
    return true;
  }
  if (!isClosedDoor(levelAt, stateAt, ahead) || !canOpen(levelAt, stateAt, ahead)) { return false; }
  openDoor(levelAt, stateAt, ahead);
  return true;
}

fn moveObstacles(levelAt : u32, stateAt : u32, t : u32, seed : u32) {
  for (var k = 0u; k < obstacles(levelAt); k++) {
    if ((stepFlags & TERMINATED) != 0u) { return; }
    let m = below(random(seed, 2u, t, 1u + k, 0u), 5u);
    if (m == 4u) { continue; }
    let to = neighbor(levelAt, obstacleCell(stateAt, k), m);
    if (to == NOWHERE) { continue; }
    let kind = kindOf(levelAt, to);
    if ((kind != K_FLOOR && kind != K_ICE) || obstacleAt(levelAt, stateAt, to)) { continue; }
    setObstacle(stateAt, k, to);
    if (to == (state[stateAt] & NO_CELL)) { collide(levelAt); }
  }
}

fn envReset(levelAt : u32, stateAt : u32) {
  state[stateAt] = levels[levelAt + 2u];
  state[stateAt + 1u] = 0u;
  state[stateAt + 2u] = 0u;
  state[stateAt + 3u] = levels[levelAt + 9u];
  state[stateAt + 4u] = levels[levelAt + 10u];
  state[stateAt + 5u] = levels[levelAt + 11u];
  state[stateAt + 6u] = 0u;
}

fn envStep(levelAt : u32, stateAt : u32, action : u32, seed : u32) -> EnvResult {
  let clock = state[stateAt + 6u];
  if ((clock >> 16u) != 0u) { return EnvResult(0, clock >> 16u); }
  let t = clock & 0xffffu;
  stepReward = rewardOf(levelAt, 1u);
  stepFlags = 0u;
  let before = vec3u(state[stateAt], state[stateAt + 1u], state[stateAt + 2u]);
  let possible = act(levelAt, stateAt, action, t, seed);
  let unchanged = all(before == vec3u(state[stateAt], state[stateAt + 1u], state[stateAt + 2u]));
  moveObstacles(levelAt, stateAt, t, seed);
  if (!possible) {
    stepFlags = stepFlags | INVALID;
    stepReward = stepReward + rewardOf(levelAt, 6u);
  }
  if (unchanged) { stepFlags = stepFlags | NO_EFFECT; }
  if ((stepFlags & TERMINATED) == 0u && t + 1u >= envLimit(levelAt)) { stepFlags = stepFlags | TRUNCATED; }
  state[stateAt + 6u] = (t + 1u) | ((stepFlags & 15u) << 16u);
  return EnvResult(stepReward, stepFlags);
}

fn envKey(stateAt : u32) -> vec2u {
  var h = vec2u(0x53544154u, 1u);
  for (var w = 0u; w < 6u; w += 2u) { h = threefry(h, vec2u(state[stateAt + w], state[stateAt + w + 1u])); }
  return h;
}

fn isFree(levelAt : u32, stateAt : u32, cell : u32) -> bool {
  if (cell == NOWHERE) { return false; }
  if (kindOf(levelAt, cell) == K_WALL) { return false; }
  if (isClosedDoor(levelAt, stateAt, cell) && (isTurn(levelAt) || !canOpen(levelAt, stateAt, cell))) { return false; }
  return !(isTurn(levelAt) && isKeyHere(levelAt, stateAt, cell));
}

fn envLegal(levelAt : u32, stateAt : u32) -> u32 {
  if (!levelFlag(levelAt, 1u)) { return 0xffffffffu; }
  let here = state[stateAt] & NO_CELL;
  var bits = 0u;
  if (!isTurn(levelAt)) {
    let count = levels[levelAt + 3u] >> 16u;
    for (var a = 0u; a < count; a++) {
      if (isFree(levelAt, stateAt, neighbor(levelAt, here, (levels[levelAt + 3u] >> (2u * a)) & 3u))) { bits |= 1u << a; }
    }
  } else {
    let ahead = neighbor(levelAt, here, (state[stateAt] >> 10u) & 3u);
    bits = 3u;
    if (isFree(levelAt, stateAt, ahead)) { bits |= 4u; }
    if (ahead != NOWHERE) {
      if (isKeyHere(levelAt, stateAt, ahead)) { bits |= 8u; }
      if (isClosedDoor(levelAt, stateAt, ahead) && canOpen(levelAt, stateAt, ahead)) { bits |= 16u; }
    }
  }
  return select(bits, 0xffffffffu, bits == 0u);
}
