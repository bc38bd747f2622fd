// What the tokens of a block read: one block per trajectory that has a place, [summary before; steps; own summary] as far as it
// has them. Token i reads what is kept (summaries of earlier segments, then steps of the segment before the block), and the block
// up to itself. All of it stands one after the other, so key u of n has distance n − 1 − u. The width of a head, WIDTH, is linked
// in front.
//
// kept : [S, B, T, 4D] of one layer. Keys and values of step t in the first half of entry t; those of token j of the summary that
// segment k begins with in the second half of entry (k − 1)·segment + j: a fork inside of segment k takes them over

struct Dims {
  B : u32, T : u32, tokens : u32, prefix : u32, steps : u32, t : u32, isLast : u32, segment : u32, summary : u32, keep : u32,
  heads : u32, size : u32, relAt : u32, distances : u32,
}

@group(0) @binding(0) var<uniform> dims : Dims;

// `summaries` tokens of summaries, the first one in entry `entry`, and `steps` steps are kept; tokens before `begin` are none
struct Reads { t : u32, summaries : u32, entry : u32, steps : u32, begin : u32 }

// of a block whose first step is t
fn readsAt(t : u32) -> Reads {
  let segment = t / dims.segment;
  let place = t % dims.segment;
  let hasPrefix = dims.prefix > 0u && place == 0u && segment > 0u;
  let first = select(1u, segment + 1u - dims.keep, segment >= dims.keep);
  let end = select(segment + 1u, segment, hasPrefix);
  return Reads(t, (end - first) * dims.summary, (first - 1u) * dims.segment, place, select(dims.prefix, 0u, hasPrefix));
}

// where the key of kept number u begins, D before its value
fn keptAt(trajectory : u32, reads : Reads, u : u32) -> u32 {
  let D = dims.heads * WIDTH;
  if (u < reads.summaries) {
    let entry = reads.entry + u / dims.summary * dims.segment + u % dims.summary;
    return (trajectory * dims.T + entry) * 4u * D + 2u * D;
  }
  return (trajectory * dims.T + reads.t - reads.steps + u - reads.summaries) * 4u * D;
}
