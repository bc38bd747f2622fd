// The units of a minibatch with the largest numbers, which are where their marks will be. A number is found by its rank byte by
// byte, from counts of each byte, so nothing is sorted and no order of arrival changes anything; what is compared is what was
// stored. Linked after stretches.wgsl into kernels of one workgroup of 256 per replica that have `credit`.

const OUT = 0x1p100f;

var<workgroup> sums : array<vec3f, 256>;
var<workgroup> bins : array<atomic<u32>, 256>;
/// bits of the number that is looked for, and its rank among those that share them
var<workgroup> found : vec2u;

/// Sums of what the invocations have, in a fixed tree.
fn total(local : u32, mine : vec3f) -> vec3f {
  workgroupBarrier();
  sums[local] = mine;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  return workgroupUniformLoad(&sums[0]);
}

/// Whole numbers in the order of the floats; 0 and −0 are one.
fn keyOf(x : f32) -> u32 {
  let bits = select(bitcast<u32>(x), 0u, x == 0.0);
  return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

/// Key of the rank-th largest of the marks above `least`, or of the smallest where there are fewer, and how many that are equal
/// to it belong to the largest. Of none it is the highest key, which no number has.
fn rankOf(local : u32, from_ : u32, to : u32, least : f32, rank : u32) -> vec2u {
  if (local == 0u) { found = vec2u(0u, rank); }
  for (var shift = 32u; shift > 0u; shift -= 8u) {
    atomicStore(&bins[local], 0u);
    let known = workgroupUniformLoad(&found);
    for (var k = from_; k < to; k++) {
      let x = credit[k];
      let key = keyOf(x);
      if (x == OUT || x <= least || (shift < 32u && (key >> (shift % 32u)) != known.x)) { continue; }
      atomicAdd(&bins[(key >> (shift - 8u)) & 255u], 1u);
    }
    workgroupBarrier();
    if (local == 0u) {
      var rest = known.y;
      if (shift == 32u) {
        var all = 0u;
        for (var k = 0u; k < 256u; k++) { all += atomicLoad(&bins[k]); }
        rest = min(rest, all);
      }
      var bin = 255u;
      while (bin > 0u && atomicLoad(&bins[bin]) < rest) {
        rest -= atomicLoad(&bins[bin]);
        bin--;
      }
      found = vec2u((known.x << 8u) | bin, rest);
    }
    workgroupBarrier();
  }
  return workgroupUniformLoad(&found);
}

/// Marks the units that rankOf has found with `marks.x`, of those equal to the last one the earliest, and the others with `marks.y`.
fn markLargest(local : u32, own : Stretch, least : f32, last : vec2u, marks : vec2f) {
  var equal = 0u;
  for (var k = own.from_; k < own.to; k++) {
    equal += u32(credit[k] != OUT && credit[k] > least && keyOf(credit[k]) == last.x);
  }
  var before = countsBefore(local, equal).x;
  for (var k = own.from_; k < own.to; k++) {
    let x = credit[k];
    if (x == OUT) { continue; }
    var isOf = x > least && keyOf(x) > last.x;
    if (x > least && keyOf(x) == last.x) {
      isOf = before < last.y;
      before++;
    }
    credit[k] = select(marks.y, marks.x, isOf);
  }
}
