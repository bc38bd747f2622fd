// Marks the units with the largest covariance c = (A − Ā)(log π − mean log π) of a minibatch: 1, the others 0; steps that are
// not looked at have the mark LEFT_OUT. Of equal ones the earlier counts as the larger. One workgroup per replica. A number is
// found by its rank byte by byte, from counts of each byte, so nothing is sorted and no order of arrival changes anything; what is
// compared is what was stored. Linked after stretches.wgsl and largest.wgsl or drawn.wgsl:
//   DRAWS                                       is one of the candidates drawn, or are the largest taken?
//   drawnAs(s, step, c, isAbove, A, delta)      > 0 for a candidate, of which the largest are taken
//
// plan : [S, B, 2] = weight, length     stats : see coefficients
// sampled : [S, B, T] log π_old, then sections that are not read
// counts : [B·T + 1, 2] by the number of units: how many get the mark, and where there are draws the rank that candidates are above
// credit : [S, B, T] A, and at `marksAt` the marks, written here

struct Dims { B : u32, T : u32, marksAt : u32, look : u32, words : u32, at : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       plan    : array<f32>;
@group(0) @binding(2) var<storage, read>       stats   : array<f32>;
@group(0) @binding(3) var<storage, read>       sampled : array<f32>;
@group(0) @binding(4) var<storage, read>       counts  : array<u32>;
@group(0) @binding(5) var<storage, read_write> credit  : array<f32>;

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

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let N = dims.B * dims.T;
  let own = stretchOf(s, local);
  let from_ = own.from_;
  let to = own.to;

  // the second time around what the first has found, so that the means are right to the last digit
  var means = vec2f();
  var n = 0u;
  for (var again = 0u; again < 2u; again++) {
    var mine = vec3f();
    for (var id = own.first; id < own.end; id++) {
      let step = s * N + id;
      let isIn = isUnit(s, id);
      if (isIn) { mine += vec3f(vec2f(credit[step], sampled[step] + stats[6u * step + 4u]) - means, 1.0); }
      credit[dims.marksAt + step] = select(OUT, 0.0, isIn);
    }
    let all = total(local, mine);
    n = u32(all.z);
    means += all.xy / max(all.z, 1.0);
  }
  for (var k = from_; k < to; k++) {
    let step = k - dims.marksAt;
    if (credit[k] == OUT) { continue; }
    credit[k] = (credit[step] - means.x) * (sampled[step] + stats[6u * step + 4u] - means.y);
  }

  var least = -3.4e38;
  if (DRAWS) {
    let above = rankOf(local, from_, to, least, counts[2u * n + 1u]);
    for (var k = from_; k < to; k++) {
      let step = k - dims.marksAt;
      let c = credit[k];
      if (c != OUT) { credit[k] = drawnAs(s, step, c, keyOf(c) > above.x, credit[step], stats[6u * step + 4u]); }
    }
    least = 0.0;
  }
  let last = rankOf(local, from_, to, least, counts[2u * n]);
  // of those equal to the last one the earliest
  var equal = 0u;
  for (var k = from_; k < to; k++) { equal += u32(credit[k] != OUT && credit[k] > least && keyOf(credit[k]) == last.x); }
  var before = countsBefore(local, equal).x;
  for (var k = from_; k < to; k++) {
    let x = credit[k];
    if (x == OUT) { continue; }
    var isOf = x > least && keyOf(x) > last.x;
    if (x > least && keyOf(x) == last.x) {
      isOf = before < last.y;
      before++;
    }
    credit[k] = select(0.0, 1.0, isOf);
  }
}
