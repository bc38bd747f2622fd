// The smallest set of actions whose probability reaches topP, at least minKeep of them: of equal ones the lower index first.
// Actions of probability 0 are never in the set. Linked into kernels that fill `p` (0 where an action is not legal), and have
// dims (actions, minKeep, topP) and
//   choice  first section [S, B, T] = legal bits     before : [S, B] legal bits as they were, for `restore`
//   counts  [S, 2] += legal actions, those of them that were removed

var<private> p : array<f32, 32>;

fn legalAt(step : u32) -> u32 { return choice[step] & (0xffffffffu >> (32u - min(dims.actions, 32u))); }

/// The set takes the place of the legal bits of a step of trajectory `row` of replica s.
fn narrow(s : u32, row : u32, step : u32) {
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
  let legal = legalAt(step);
  atomicAdd(&counts[2u * s], countOneBits(legal));
  atomicAdd(&counts[2u * s + 1u], countOneBits(legal & ~kept));
  before[row] = choice[step];
  choice[step] = legal & kept;
}
