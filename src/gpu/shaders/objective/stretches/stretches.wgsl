// The steps of a replica in 256 stretches, one for every invocation of its workgroup, in order. Linked into kernels that mark
// the units of a minibatch; of theirs it reads `dims` (B, T, marksAt) and `plan` ([S, B, 2] = weight, length).

/// first..end among the steps of the replica, from_..to among the marks
struct Stretch { first : u32, end : u32, from_ : u32, to : u32 }

fn stretchOf(s : u32, local : u32) -> Stretch {
  let N = dims.B * dims.T;
  let size = (N + 255u) / 256u;
  let first = min(local * size, N);
  let end = min(first + size, N);
  let at = dims.marksAt + s * N;
  return Stretch(first, end, at + first, at + end);
}

/// Is step `id` of a replica a unit of the minibatch?
fn isUnit(s : u32, id : u32) -> bool {
  let row = s * dims.B + id / dims.T;
  return plan[2u * row] != 0.0 && id % dims.T < u32(plan[2u * row + 1u]);
}

var<workgroup> counted : array<u32, 256>;

/// What the invocations before this one have counted, and all of them. Called once, by all.
fn countsBefore(local : u32, mine : u32) -> vec2u {
  counted[local] = mine;
  workgroupBarrier();
  var sums = vec2u();
  for (var k = 0u; k < 256u; k++) { sums += vec2u(select(0u, counted[k], k < local), counted[k]); }
  return sums;
}
