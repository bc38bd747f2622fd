// One step of one trajectory, as the kernels of a rollout share it. A trajectory lives while its length is 0; where one
// dispatch is one step, it is WAITS as long as other weights play.
//
// Linked after random.wgsl, an environment's step.wgsl, its flicker and its wrappers (wrapped.ts), and with where these find
// states [S, B, T+1, words] and put observations [S, B, T+1, obsWords]: near.wgsl or far.wgsl. The kernel declares
//   levels   packed levels; from assignAt [S, B, 4] = level offset, task, episode seed, level seed
//   choice   [2][S, B, T] = legal bits, action
//   result   i32/u32 words in sections of `section` words: 0 reward in thousandths [S, B, T]   1 key high, low [S, B, T, 2]
//            (two sections)   then ending [S, B, 4] = success, terminated, return, steps begun; final key [S, B, 2];
//            task [S, B]; length [S, B]; turn [S, B, 2] = first step that the weights play, step after the last

fn stateAt(row : u32, t : u32) -> u32 { return (row * (dims.T + 1u) + t) * dims.words; }
fn obsAt(row : u32, t : u32) -> u32 { return (row * (dims.T + 1u) + t) * dims.obsWords; }
fn levelOf(row : u32) -> u32 { return levels[dims.assignAt + 4u * row]; }
fn seedOf(row : u32) -> u32 { return levels[dims.assignAt + 4u * row + 2u]; }
fn endingOf(row : u32) -> u32 { return dims.endingAt + 4u * row; }
fn lengthOf(row : u32) -> u32 { return result[dims.lengthAt + row]; }
fn turnFrom(row : u32) -> u32 { return result[dims.turnAt + 2u * row]; }
fn turnTo(row : u32) -> u32 { return result[dims.turnAt + 2u * row + 1u]; }

const WAITS = 0xffffffffu;

/// What a row keeps from step to step, so that none has to wait for it: where the world finds its level, the seed of its
/// draws, its return.
struct Kept { levelAt : u32, seed : u32, earned : i32 }
var<private> kept : Kept;

/// Before a step of a row, or several one after the other: brings state t, and what is kept.
fn recall(row : u32, t : u32) {
  recallState(row, t);
  kept = Kept(levelOf(row), seedOf(row), bitcast<i32>(result[endingOf(row) + 2u]));
}

/// What the agent sees before step t, which is recalled: observation bits, key; returns the legal actions.
fn look(row : u32, t : u32) -> u32 {
  let step = row * dims.T + t;
  let at = stateIn(row, t);
  worldObserve(kept.levelAt, at, obsIn(row, t), kept.seed, t);
  keepObs(row, t);
  let key = worldKey(at);
  result[dims.section + 2u * step] = key.x;
  result[dims.section + 2u * step + 1u] = key.y;
  let legal = worldLegal(kept.levelAt, at);
  choice[step] = legal;
  return legal;
}

/// Lets the world move to t + 1, from what is recalled; books reward and end. True if the episode is over.
fn advance(row : u32, t : u32, action : u32) -> bool {
  let now = row * dims.T + t;
  followState(row, t + 1u);
  let r = worldStep(kept.levelAt, stateIn(row, t + 1u), action, kept.seed);
  keepState(row, t + 1u);
  let reward = worldPay(r.reward, kept.seed, t);
  result[now] = bitcast<u32>(reward);
  let ending = endingOf(row);
  kept.earned += reward;
  result[ending + 2u] = bitcast<u32>(kept.earned);
  let ended = (r.flags & 1u) == 1u;
  // cut before T: the task has a step limit of its own
  if ((r.flags & 3u) == 0u && t + 1u != dims.T) { return false; }
  result[dims.lengthAt + row] = t + 1u;
  result[ending] = (r.flags >> 2u) & 1u;
  result[ending + 1u] = select(0u, 1u, ended);
  worldSettle(row * dims.T, t + 1u);
  return true;
}
