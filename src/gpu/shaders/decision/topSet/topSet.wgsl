// The smallest set of actions whose probability reaches topP, at least minKeep of them: of equal ones the lower index first.
// Actions of probability 0 are never in the set. One invocation per trajectory that plays the step; others write nothing.
// Linked after steps.wgsl or rows.wgsl, and softmax.wgsl.
//
//   main     the set takes the place of the legal bits
//   restore  behind the decision, where training does not know of the set: they are what they were
//
// choice : first section [S, B, T] = legal bits     before : [S, B] legal bits as they were, for `restore`
// counts : [S, 2] += legal actions, those of them that were removed

@group(0) @binding(4) var<storage, read_write> choice : array<u32>;
@group(0) @binding(5) var<storage, read_write> before : array<u32>;
@group(0) @binding(6) var<storage, read_write> counts : array<atomic<u32>>;

var<private> p : array<f32, 32>;

fn logitAt(z : u32, c : u32) -> f32 { return logits[z + c]; }
fn keepProb(action : u32, x : f32) { p[action] = x; }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let at = placeOf(group, local);
  if (at.step == NONE) { return; }
  let legal = choice[at.step] & (0xffffffffu >> (32u - min(dims.actions, 32u)));
  eachProb(at.z, choice[at.step], 0u);
  var kept = 0u;
  var reached = 0.0;
  for (var k = 0u; k < dims.actions && (reached < dims.topP || k < dims.minKeep); k++) {
    var best = 32u;
    var most = 0.0;
    for (var b = 0u; b < dims.actions; b++) {
      if (((kept >> b) & 1u) == 0u && p[b] > most) {
        best = b;
        most = p[b];
      }
    }
    if (best == 32u) { break; }
    kept |= 1u << best;
    reached += most;
  }
  atomicAdd(&counts[2u * at.s], countOneBits(legal));
  atomicAdd(&counts[2u * at.s + 1u], countOneBits(legal & ~kept));
  before[at.row] = choice[at.step];
  choice[at.step] = legal & kept;
}

@compute @workgroup_size(64)
fn restore(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let at = placeOf(group, local);
  if (at.step != NONE) { choice[at.step] = before[at.row]; }
}
