// How the episodes of each task become a tree (slots/rollout/arpo), as far as those show it that were played: one invocation per
// task goes over the steps from where it stopped, lets episodes decide in the order of their slots whether they are forked before a
// step, and stops where a fork has to be played first. Linked after random.wgsl, a world behind its wrappers and envJunction.
//
// levels : packed levels; from assignAt [S, B, 4] = level offset, task, episode seed, level seed; from rollAt purpose, update, seeds
// played : [S, B, T+1, words]     legal : [S, B, T]     key : [S, B, T, 2]     length : [S, B]     entropy : [S, B, T]
// state : [S, P, words] scratch, in which an action is tried
// trees : [S, P] of 4 + 4·G words: step to decide next, slots, slots that have rows, forks in a row of the task; then of each slot
//         row, slot + 1 of its parent (0: none, LATE: begins when others are over), first own step, forks in a row

// starts 0: by a probe     mode 1: by the threshold     eligible 0: all but the first step, 1: new states, 2: junctions
// scale: ln of the number of actions; 0 where there is one
struct Dims {
  S : u32, B : u32, T : u32, P : u32, G : u32, words : u32, actions : u32, assignAt : u32, rollAt : u32, branch : u32,
  starts : u32, mode : u32, eligible : u32, beam : u32, byTask : u32, ahead : u32,
  alpha : f32, beta : f32, penalty : f32, tau : f32, balance : f32, scale : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       levels  : array<u32>;
@group(0) @binding(2) var<storage, read>       played  : array<u32>;
@group(0) @binding(3) var<storage, read>       legal   : array<u32>;
@group(0) @binding(4) var<storage, read>       key     : array<u32>;
@group(0) @binding(5) var<storage, read>       length  : array<u32>;
@group(0) @binding(6) var<storage, read>       entropy : array<f32>;
@group(0) @binding(7) var<storage, read_write> state   : array<u32>;
@group(0) @binding(8) var<storage, read_write> trees   : array<u32>;

// functions of the world that nobody calls here write into these
var<private> obs : array<u32, 4>;
var<private> result : array<u32, 4>;

const LATE = 0xffffffffu;

fn slotAt(tree : u32, slot : u32) -> u32 { return tree + 4u + 4u * slot; }

fn plan(tree : u32, slot : u32, parent : u32, step : u32) {
  trees[slotAt(tree, slot) + 1u] = parent;
  trees[slotAt(tree, slot) + 2u] = step;
  trees[slotAt(tree, slot) + 3u] = 0u;
}

fn isNew(row : u32, t : u32) -> bool {
  let own = row * dims.T + t;
  for (var k = row * dims.T; k < own; k++) {
    if (key[2u * k] == key[2u * own] && key[2u * k + 1u] == key[2u * own + 1u]) { return false; }
  }
  return true;
}

fn restore(row : u32, t : u32, at : u32) {
  for (var w = 0u; w < dims.words; w++) { state[at + w] = played[(row * (dims.T + 1u) + t) * dims.words + w]; }
}

/// May row be forked at step t? A choice: at least two legal actions change the state.
fn mayFork(row : u32, t : u32, at : u32) -> bool {
  if (dims.eligible == 0u) { return true; }
  let levelAt = levels[dims.assignAt + 4u * row];
  if (dims.eligible == 1u && !isNew(row, t)) { return false; }
  restore(row, t, at);
  if (dims.eligible == 2u && !envJunction(levelAt, at)) { return false; }
  let k = row * dims.T + t;
  var useful = 0u;
  for (var a = 0u; a < dims.actions && useful < 2u; a++) {
    if (((legal[k] >> a) & 1u) == 0u) { continue; }
    restore(row, t, at);
    let moved = worldStep(levelAt, at, a, levels[dims.assignAt + 4u * row + 2u]);
    let now = worldKey(at);
    if ((moved.flags & 1u) == 1u || now.x != key[2u * k] || now.y != key[2u * k + 1u]) { useful++; }
  }
  return useful >= 2u;
}

/// Episodes of a task that begin at the start, by the first of them: more where it was unsure at once, fewer where later.
fn balanced(row : u32) -> u32 {
  let scale = select(1.0, dims.scale, dims.scale > 0.0);
  let root = entropy[row * dims.T] / scale;
  let long = length[row];
  // what entropies are above that of the start: equal ones give exactly 0
  var later = 0.0;
  for (var t = 1u; t < long; t++) { later += entropy[row * dims.T + t] / scale - root; }
  let share = 1.0 / (1.0 + exp(dims.balance * later / f32(max(long, 2u) - 1u)));
  return clamp(u32(floor(f32(dims.G) * share)) + 1u, 1u, dims.G);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.S * dims.P) { return; }
  let s = id / dims.P;
  let top = s * dims.B;
  let tree = id * (4u + 4u * dims.G);
  let seed = levels[dims.rollAt + 2u + s];
  let update = levels[dims.rollAt + 1u];
  let before = trees[tree + 1u];
  var n = before;
  var t = trees[tree];
  if (n == 0u || n == dims.G) { return; }
  if (t == 0u) {
    if (dims.starts == 0u) {
      let starts = balanced(top + trees[slotAt(tree, 0u)]);
      for (; n < starts; n++) { plan(tree, n, 0u, 0u); }
    }
    t = 1u;
  }
  for (; t < dims.T && n < dims.G && n == before; t++) {
    var decides = false;
    for (var slot = 0u; slot < before; slot++) {
      let own = trees[slotAt(tree, slot)];
      let row = top + own;
      if (t + dims.ahead >= length[row] || !mayFork(row, t, id * dims.words)) { continue; }
      decides = true;
      let inRow = trees[select(slotAt(tree, slot), tree, dims.byTask == 1u) + 3u];
      let first = n;
      for (var k = 0u; k + 1u < dims.beam && n < dims.G; k++) {
        // a fork has the entropy of its root at the start
        var delta = 0.0;
        if (dims.scale > 0.0) { delta = (entropy[row * dims.T + t] - entropy[row * dims.T]) / dims.scale; }
        let p = clamp(dims.alpha + dims.beta * delta, 0.0, 1.0) * max(0.0, 1.0 - dims.penalty * f32(inRow));
        var forks = p > dims.tau;
        if (dims.mode == 0u) { forks = uniform01(random(seed, dims.branch, update, own, t * (dims.beam - 1u) + k)) < p; }
        if (!forks) { continue; }
        plan(tree, n, slot + 1u, t + dims.ahead);
        n++;
      }
      if (dims.byTask == 1u) { continue; }
      let now = select(0u, inRow + 1u, n > first);
      trees[slotAt(tree, slot) + 3u] = now;
      for (var child = first; child < n; child++) { trees[slotAt(tree, child) + 3u] = now; }
    }
    if (dims.byTask == 1u && decides) { trees[tree + 3u] = select(0u, trees[tree + 3u] + 1u, n > before); }
  }
  if (t >= dims.T && n == before) {
    for (; n < dims.G; n++) { plan(tree, n, LATE, 0u); }
  }
  trees[tree] = t;
  trees[tree + 1u] = n;
}
