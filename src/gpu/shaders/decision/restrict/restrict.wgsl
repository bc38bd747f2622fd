// Which legal actions may be chosen, by the probabilities of another policy. One invocation per trajectory that plays the
// step; others write nothing. Linked after steps.wgsl or rows.wgsl, softmax.wgsl, and what a module says:
//
//   fn keptActions(actions : u32, rule : vec4f) -> u32   bits of the actions that stay, by their probabilities p
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
  let kept = keptActions(dims.actions, vec4f(dims.p0, dims.p1, dims.p2, dims.p3));
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
