// The smallest set of legal actions whose probability reaches topP, at least minKeep of them: of equal ones the lower
// index first. Takes the place of the legal bits of step t. One invocation per trajectory; those that have ended write
// nothing. Actions of probability 0 are never in the set.
//
// logits : [S, maxRows, n], row = trajectory     length : [S, B]     choice : first section [S, B, T] = legal bits
// counts : [S, 2] += legal actions, those of them that were removed

struct Dims { B : u32, T : u32, t : u32, actions : u32, n : u32, maxRows : u32, minKeep : u32, topP : f32, inverse : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       logits : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> choice : array<u32>;
@group(0) @binding(4) var<storage, read_write> counts : array<atomic<u32>>;

var<private> p : array<f32, 32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i >= dims.B) { return; }
  let s = group.z;
  let row = s * dims.B + i;
  if (length[row] != 0u) { return; }
  let step = row * dims.T + dims.t;
  let at = (s * dims.maxRows + i) * dims.n;
  let legal = choice[step] & (0xffffffffu >> (32u - min(dims.actions, 32u)));

  var top = -3.0e38;
  for (var b = 0u; b < dims.actions; b++) {
    if (((legal >> b) & 1u) == 1u) { top = max(top, logits[at + b] * dims.inverse); }
  }
  var total = 0.0;
  for (var b = 0u; b < dims.actions; b++) {
    p[b] = 0.0;
    if (((legal >> b) & 1u) == 1u) {
      p[b] = exp(logits[at + b] * dims.inverse - top);
      total += p[b];
    }
  }
  for (var b = 0u; b < dims.actions; b++) { p[b] /= total; }

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
  choice[step] = kept;
  atomicAdd(&counts[2u * s], countOneBits(legal));
  atomicAdd(&counts[2u * s + 1u], countOneBits(legal) - countOneBits(kept));
}
