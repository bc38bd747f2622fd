// Grid-world on packed words: the twin of rules.ts and observe.ts, bit for bit, random draws included.
//
// Linked into a kernel that declares, the last two in memory of any kind,
//   var<storage, read>       levels : array<u32>     packed levels, see pack.ts
//   state  : array<u32>                              7 words per state
//   obs    : array<u32>                              observation bits
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

// A driver compiles a function anew wherever it is called, so the large ones are called from one place each.
const R_GOAL = 0u;
const R_STEP = 1u;
const R_DEAD = 2u;
const R_COLLISION = 3u;
const R_BONUS = 4u;
const R_SUBGOAL = 5u;
const R_INVALID = 6u;

/// Rewards of a step, a bit each: none comes twice in one. `stepLate`: what a late success loses.
var<private> stepRewards : u32;
var<private> stepLate : i32;
var<private> stepFlags : u32;
/// First word of the state before a step in which the agent has at most moved or turned; NOWHERE after all others.
var<private> movedFrom : u32 = NOWHERE;

fn envLimit(levelAt : u32) -> u32 { return levels[levelAt + 1u] & 0xffffu; }
fn levelFlag(levelAt : u32, bit : u32) -> bool { return ((levels[levelAt + 1u] >> (16u + bit)) & 1u) == 1u; }
fn isTurn(levelAt : u32) -> bool { return levelFlag(levelAt, 0u); }
fn cellWord(levelAt : u32, cell : u32) -> u32 { return levels[levelAt + 24u + cell]; }
fn kindOf(word : u32) -> u32 { return word & 255u; }
fn indexOf(word : u32) -> u32 { return (word >> 8u) & 255u; }
fn colorOf(word : u32) -> u32 { return (word >> 16u) & 255u; }
fn isDoor(word : u32) -> bool { return kindOf(word) == K_LOCKED || kindOf(word) == K_DOOR; }
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

// what is in a cell, by the word of the cell
fn isClosedDoor(stateAt : u32, word : u32) -> bool {
  return isDoor(word) && ((state[stateAt + 1u] >> indexOf(word)) & 1u) == 0u;
}

fn canOpen(stateAt : u32, word : u32) -> bool {
  return kindOf(word) == K_DOOR || ((state[stateAt] >> (12u + colorOf(word))) & 1u) == 1u;
}

fn isKeyHere(stateAt : u32, word : u32) -> bool {
  return kindOf(word) == K_KEY && ((state[stateAt + 2u] >> indexOf(word)) & 1u) == 0u;
}

/// Can the agent go to a cell, given its word?
fn isFree(levelAt : u32, stateAt : u32, word : u32) -> bool {
  if (kindOf(word) == K_WALL) { return false; }
  if (isClosedDoor(stateAt, word)) { return !isTurn(levelAt) && canOpen(stateAt, word); }
  return !(isTurn(levelAt) && isKeyHere(stateAt, word));
}

fn earn(event : u32, reward : u32) {
  stepFlags |= event;
  stepRewards |= 1u << reward;
}

fn takeKey(stateAt : u32, word : u32) {
  state[stateAt] = state[stateAt] | (1u << (12u + colorOf(word)));
  state[stateAt + 2u] = state[stateAt + 2u] | (1u << indexOf(word));
  earn(EV_KEY, R_SUBGOAL);
}

fn openDoor(stateAt : u32, word : u32) {
  state[stateAt + 1u] = state[stateAt + 1u] | (1u << indexOf(word));
  earn(EV_DOOR, R_SUBGOAL);
}

/// True if that is the whole task.
fn reachSubgoal(levelAt : u32, stateAt : u32, word : u32) -> bool {
  let done = (state[stateAt] >> 16u) & 15u;
  if (indexOf(word) != done + 1u) { return false; }
  state[stateAt] = (state[stateAt] & ~(15u << 16u)) | ((done + 1u) << 16u);
  earn(EV_SUBGOAL, R_SUBGOAL);
  let subgoals = (levels[levelAt + 8u] >> 8u) & 255u;
  let goals = levels[levelAt + 8u] & 255u;
  return done + 1u == subgoals && goals == 0u && !levelFlag(levelAt, 5u);
}

/// True if that is the whole task.
fn reachGoal(levelAt : u32, stateAt : u32, word : u32) -> bool {
  let subgoals = (levels[levelAt + 8u] >> 8u) & 255u;
  if (((state[stateAt] >> 16u) & 15u) < subgoals) { return false; }
  if (kindOf(word) == K_EXIT) { return state[stateAt + 2u] == levels[levelAt + 7u]; }
  let bit = 1u << (20u + indexOf(word));
  if ((state[stateAt] & bit) != 0u) { return false; }
  state[stateAt] = state[stateAt] | bit;
  if (!levelFlag(levelAt, 3u)) { return true; }
  earn(EV_SUBGOAL, R_SUBGOAL);
  return ((state[stateAt] >> 20u) & 255u) == (levels[levelAt + 8u] & 255u);
}

fn collide() { earn(EV_COLLISION | TERMINATED | DEAD, R_COLLISION); }

/// One cell in a direction; false if blocked.
fn walk(levelAt : u32, stateAt : u32, direction : u32, t : u32) -> bool {
  let to = neighbor(levelAt, state[stateAt] & NO_CELL, direction);
  if (to == NOWHERE) { return false; }
  let word = cellWord(levelAt, to);
  if (!isFree(levelAt, stateAt, word)) { return false; }
  if (isClosedDoor(stateAt, word)) { openDoor(stateAt, word); }
  state[stateAt] = (state[stateAt] & ~NO_CELL) | to;
  if (obstacleAt(levelAt, stateAt, to)) { collide(); return true; }
  var isDone = false;
  switch (kindOf(word)) {
    case K_LAVA, K_HOLE: { earn(TERMINATED | DEAD, R_DEAD); }
    case K_KEY: { if (isKeyHere(stateAt, word)) { takeKey(stateAt, word); } }
    case K_BONUS: { earn(EV_BONUS, R_BONUS); }
    case K_SUBGOAL: { isDone = reachSubgoal(levelAt, stateAt, word); }
    case K_GOAL, K_EXIT: { isDone = reachGoal(levelAt, stateAt, word); }
    default: {}
  }
  if (isDone) {
    earn(TERMINATED | SUCCESS, R_GOAL);
    if (levelFlag(levelAt, 4u)) { stepLate = i32((900u * (t + 1u)) / envLimit(levelAt)); }
  }
  return true;
}

/// Direction in which the agent really walks: ice may turn it.
fn slipped(levelAt : u32, stateAt : u32, direction : u32, t : u32, seed : u32) -> u32 {
  let left = levels[levelAt + 4u];
  let straight = levels[levelAt + 5u];
  let right = levels[levelAt + 6u];
  let onIce = levelFlag(levelAt, 2u) || kindOf(cellWord(levelAt, state[stateAt] & NO_CELL)) == K_ICE;
  if (!onIce || left + right == 0u) { return direction; }
  let u = below(random(seed, 2u, t, 0u, 0u), left + straight + right);
  if (u >= left && u < left + straight) { return direction; }
  stepFlags = stepFlags | EV_SLIPPED;
  return (direction + select(1u, 3u, u < left)) & 3u;
}

fn act(levelAt : u32, stateAt : u32, action : u32, t : u32, seed : u32) -> bool {
  let turns = isTurn(levelAt);
  if (action >= select(levels[levelAt + 3u] >> 16u, 5u, turns)) { return false; }
  let ahead = (state[stateAt] >> 10u) & 3u;
  if (turns && action <= 1u) {
    let turned = (ahead + select(1u, 3u, action == 0u)) & 3u;
    state[stateAt] = (state[stateAt] & ~(3u << 10u)) | (turned << 10u);
    return true;
  }
  if (!turns || action == 2u) {
    let direction = select((levels[levelAt + 3u] >> (2u * action)) & 3u, ahead, turns);
    return walk(levelAt, stateAt, slipped(levelAt, stateAt, direction, t, seed), t);
  }
  let cell = neighbor(levelAt, state[stateAt] & NO_CELL, ahead);
  if (cell == NOWHERE) { return false; }
  let word = cellWord(levelAt, cell);
  if (action == 3u) {
    if (!isKeyHere(stateAt, word)) { return false; }
    takeKey(stateAt, word);
    return true;
  }
  if (!isClosedDoor(stateAt, word) || !canOpen(stateAt, word)) { return false; }
  openDoor(stateAt, word);
  return true;
}

fn moveObstacles(levelAt : u32, stateAt : u32, t : u32, seed : u32) {
  for (var k = 0u; k < obstacles(levelAt); k++) {
    if ((stepFlags & TERMINATED) != 0u) { return; }
    let m = below(random(seed, 2u, t, 1u + k, 0u), 5u);
    if (m == 4u) { continue; }
    let to = neighbor(levelAt, obstacleCell(stateAt, k), m);
    if (to == NOWHERE) { continue; }
    let kind = kindOf(cellWord(levelAt, to));
    if ((kind != K_FLOOR && kind != K_ICE) || obstacleAt(levelAt, stateAt, to)) { continue; }
    setObstacle(stateAt, k, to);
    if (to == (state[stateAt] & NO_CELL)) { collide(); }
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
  stepRewards = 1u << R_STEP;
  stepLate = 0;
  stepFlags = 0u;
  let before = vec3u(state[stateAt], state[stateAt + 1u], state[stateAt + 2u]);
  let possible = act(levelAt, stateAt, action, t, seed);
  let now = vec3u(state[stateAt], state[stateAt + 1u], state[stateAt + 2u]);
  // cell and direction are the low twelve bits
  movedFrom = select(NOWHERE, before.x, all((before ^ now) < vec3u(4096u, 1u, 1u)) && obstacles(levelAt) == 0u);
  moveObstacles(levelAt, stateAt, t, seed);
  if (!possible) { earn(INVALID, R_INVALID); }
  if (all(before == now)) { stepFlags = stepFlags | NO_EFFECT; }
  if ((stepFlags & TERMINATED) == 0u && t + 1u >= envLimit(levelAt)) { stepFlags = stepFlags | TRUNCATED; }
  state[stateAt + 6u] = (t + 1u) | ((stepFlags & 15u) << 16u);
  var reward = -stepLate;
  for (var left = stepRewards; left != 0u; left &= left - 1u) {
    reward += bitcast<i32>(levels[levelAt + 12u + firstTrailingBit(left)]);
  }
  return EnvResult(reward, stepFlags);
}

fn envKey(stateAt : u32) -> vec2u {
  var h = vec2u(0x53544154u, 1u);
  for (var w = 0u; w < 6u; w += 2u) { h = threefry(h, vec2u(state[stateAt + w], state[stateAt + w + 1u])); }
  return h;
}

fn envLegal(levelAt : u32, stateAt : u32) -> u32 {
  if (!levelFlag(levelAt, 1u)) { return 0xffffffffu; }
  let here = state[stateAt] & NO_CELL;
  let turns = isTurn(levelAt);
  let moves = levels[levelAt + 3u];
  let ahead = (state[stateAt] >> 10u) & 3u;
  var bits = select(0u, 3u, turns);
  for (var k = 0u; k < select(moves >> 16u, 1u, turns); k++) {
    let cell = neighbor(levelAt, here, select((moves >> (2u * k)) & 3u, ahead, turns));
    if (cell == NOWHERE) { continue; }
    let word = cellWord(levelAt, cell);
    if (isFree(levelAt, stateAt, word)) { bits |= select(1u << k, 4u, turns); }
    if (turns && isKeyHere(stateAt, word)) { bits |= 8u; }
    if (turns && isClosedDoor(stateAt, word) && canOpen(stateAt, word)) { bits |= 16u; }
  }
  return select(bits, 0xffffffffu, bits == 0u);
}
