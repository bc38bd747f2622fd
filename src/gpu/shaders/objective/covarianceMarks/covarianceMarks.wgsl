// Marks the units with the largest covariance c = (A − Ā)(log π − mean log π) of a minibatch: 1, the others 0; steps that are
// not looked at have the mark LEFT_OUT. Of equal ones the earlier counts as the larger. One workgroup per replica. Linked after
// stretches.wgsl, ranked.wgsl and largest.wgsl or drawn.wgsl:
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
  markLargest(local, own, least, last, vec2f(1.0, 0.0));
}
