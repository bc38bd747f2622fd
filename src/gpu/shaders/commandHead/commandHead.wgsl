// Writes a command for every row of a chunk: at each prefix reached a word is drawn from the softmax over its legal
// words, by inverse CDF, until the command is decided or has left the grammar. And π(a|o) of every action: the product
// along its words. One invocation per row; flag 1 (policy) is raised when a logit that matters is not finite.
//
// rows : [S, 4 + 2R] = rows, tokens, queries, 0, end of each row, step i·T + t of each     out : [S, R, n], value last
// grammar : see command.wgsl     roll : see policyHead, with what is dictated     flags : [S]
// choice : [3][S, B, T] = legal bits, action (none: all ones), command     probs : [S, B, T, actions]
// sampled : sections of `floatSection`: log-probability, entropy (sums over the decisions), value [S, B, T], then
//           log-probability and entropy of each decision [S, B, T, decisions], 0 beyond the last; of two values their soft
//           minimum is the value, and both follow behind the decisions

struct Dims {
  B : u32, T : u32, R : u32, J : u32, slots : u32, n : u32, masked : u32, decisions : u32, actions : u32, section : u32,
  floatSection : u32, inverse : f32, shown : u32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       rows    : array<u32>;
@group(0) @binding(2) var<storage, read>       out     : array<f32>;
@group(0) @binding(3) var<storage, read>       grammar : array<u32>;
@group(0) @binding(4) var<storage, read>       roll    : array<u32>;
@group(0) @binding(5) var<storage, read_write> choice  : array<u32>;
@group(0) @binding(6) var<storage, read_write> sampled : array<f32>;
@group(0) @binding(7) var<storage, read_write> probs   : array<f32>;
@group(0) @binding(8) var<storage, read_write> flags   : array<atomic<u32>>;

var<private> probsAt : u32;
fn keepProb(action : u32, p : f32) { probs[probsAt + action] = p; }

/// The command that a demonstration dictates, NONE without one.
fn dictated(step : u32) -> u32 {
  if (dims.shown == 0u) { return NONE; }
  let shown = roll[dims.shown + step];
  if (shown == 0u) { return NONE; }
  return grammar[5u * (dims.J + dims.slots) + shown - 1u];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let r = group.x * 64u + local;
  let s = group.z;
  let start = s * (4u + 2u * dims.R);
  if (r >= rows[start]) { return; }
  let i = rows[start + 4u + dims.R + r] / dims.T;
  let t = rows[start + 4u + dims.R + r] % dims.T;
  let step = (s * dims.B + i) * dims.T + t;
  let z = (s * dims.R + r) * dims.n;
  let K = dims.decisions;
  let legal = choice[step];
  let told = dictated(step);
  let unitAt = 3u * dims.floatSection + step * K;
  var command = 0u;
  var action = NONE;
  var logp = 0.0;
  var entropy = 0.0;
  var j = 0u;
  var k = 0u;
  for (; k < K; k++) {
    let m = softmax(j, z, legal);
    if (m.z == 0.0) { atomicMax(&flags[s], 1u); break; }
    let draw = random(roll[2u + s], roll[0], roll[1], i, t | (depthOf(j) << 16u));
    let u = uniform01(draw) * m.y;
    var running = 0.0;
    var chosen = firstSlot(j);
    var isChosen = false;
    var h = 0.0;
    for (var c = firstSlot(j); c < endSlot(j); c++) {
      if (!isLegalSlot(c, legal)) { continue; }
      let x = out[z + c] * dims.inverse - m.x;
      let e = exp(x);
      running += e;
      if (!isChosen) { chosen = c; isChosen = u < running; }
      if (e > 0.0) { h -= e / m.y * (x - log(m.y)); }
    }
    if (told != NONE) { chosen = slotOf(j, told); }
    let lp = out[z + chosen] * dims.inverse - m.x - log(m.y);
    sampled[unitAt + k] = lp;
    sampled[unitAt + K * dims.floatSection + k] = h;
    logp += lp;
    entropy += h;
    command |= slotToken(chosen) << (8u * depthOf(j));
    if (slotNext(chosen) == NONE) {
      action = slotAction(chosen);
      if (dims.masked == 1u) { command = grammar[5u * (dims.J + dims.slots) + action]; }
      k++;
      break;
    }
    j = slotNext(chosen);
  }
  for (; k < K; k++) {
    sampled[unitAt + k] = 0.0;
    sampled[unitAt + K * dims.floatSection + k] = 0.0;
  }
  choice[dims.section + step] = action;
  choice[2u * dims.section + step] = command;
  sampled[step] = logp;
  sampled[dims.floatSection + step] = entropy;
  let values = dims.n - dims.slots;
  if (values == 1u) { sampled[2u * dims.floatSection + step] = out[z + dims.slots]; }
  if (values == 2u) {
    let first = out[z + dims.slots];
    let second = out[z + dims.slots + 1u];
    sampled[2u * dims.floatSection + step] = softMin(first, second);
    sampled[(3u + 2u * K) * dims.floatSection + step] = first;
    sampled[(4u + 2u * K) * dims.floatSection + step] = second;
  }
  probsAt = step * dims.actions;
  for (var a = 0u; a < dims.actions; a++) { keepProb(a, 0.0); }
  eachProb(z, legal);
}
