// Marks of M2PO: of the units of a minibatch those with the largest |Δ_prox| are left out until the mean of Δ_prox² over the
// others is below the limit; at least one stays. Of equal ones the earlier goes first. The mark of a unit that stays is its
// Δ_prox = log π_prox − log π_old, all others have LEFT_OUT; what is no number keeps its own, so that it is found. The mean
// over the n smallest grows with n: the bits of the first |Δ_prox| that does not belong to them are found two by two, each
// from three sums in a fixed tree, so nothing is sorted. One workgroup per replica. Linked after stretches.wgsl.
//
// plan : [S, B, 2] = weight, length     known : [S, B, T] = Δ_prox, then what is not read
// credit : [S, B, T] A, and at `marksAt` the marks, written here

struct Dims { B : u32, T : u32, marksAt : u32, limit : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       plan   : array<f32>;
@group(0) @binding(2) var<storage, read>       known  : array<f32>;
@group(0) @binding(3) var<storage, read_write> credit : array<f32>;

const OUT = 0x1p100f;
const INFINITE = 0x7f800000u;

var<workgroup> sums : array<vec3f, 256>;
var<workgroup> ns   : array<vec3u, 256>;

/// Squares and numbers of units, of three sets.
struct Sums { squares : vec3f, n : vec3u }

/// Whole numbers in the order of |x|.
fn keyOf(x : f32) -> u32 { return bitcast<u32>(x) & 0x7fffffffu; }

/// Squares of the units below each key, and how many they are.
fn below(local : u32, from_ : u32, to : u32, keys : vec3u) -> Sums {
  var mine = Sums();
  for (var k = from_; k < to; k++) {
    let x = credit[k];
    if (x == OUT) { continue; }
    let isIn = vec3u(keyOf(x)) < keys;
    mine.squares += select(vec3f(), vec3f(x * x), isIn);
    mine.n += select(vec3u(), vec3u(1u), isIn);
  }
  workgroupBarrier();
  sums[local] = mine.squares;
  ns[local] = mine.n;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) {
      sums[local] += sums[local + half];
      ns[local] += ns[local + half];
    }
    workgroupBarrier();
  }
  return Sums(workgroupUniformLoad(&sums[0]), workgroupUniformLoad(&ns[0]));
}

/// The earlier units of the key go: how many. `all`: squares and number of those below it.
fn leaving(equal : u32, square : f32, squares : f32, n : u32) -> u32 {
  // none is below: the last of the smallest stays
  if (n == 0u) { return equal - min(equal, 1u); }
  if (square <= dims.limit) { return 0u; }
  // (squares + stay · square) / (n + stay) < limit
  let stay = ceil((dims.limit * f32(n) - squares) / (square - dims.limit)) - 1.0;
  return equal - min(u32(max(stay, 0.0)), equal);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let N = dims.B * dims.T;
  let own = stretchOf(s, local);
  for (var id = own.first; id < own.end; id++) {
    credit[dims.marksAt + s * N + id] = select(OUT, known[s * N + id], isUnit(s, id));
  }

  // the largest key with a mean below the limit under it, where nothing under it counts as one
  var key = 0u;
  var under = Sums();
  for (var shift = 32u; shift > 0u; shift -= 2u) {
    let keys = vec3u(key) | (vec3u(1u, 2u, 3u) << vec3u(shift - 2u));
    let all = below(local, own.from_, own.to, keys);
    // no larger key than the infinite one is asked for: what is no number belongs to nothing
    let isBelow = (keys <= vec3u(INFINITE)) & ((all.n == vec3u()) | (all.squares < dims.limit * vec3f(all.n)));
    for (var k = 0u; k < 3u; k++) {
      if (isBelow[k]) {
        key = keys[k];
        under = Sums(vec3f(all.squares[k]), vec3u(all.n[k]));
      }
    }
  }

  var equal = 0u;
  for (var k = own.from_; k < own.to; k++) { equal += u32(credit[k] != OUT && keyOf(credit[k]) == key); }
  let ties = countsBefore(local, equal);
  var before = ties.x;
  let value = bitcast<f32>(key);
  let go = leaving(ties.y, value * value, under.squares.x, under.n.x);
  for (var k = own.from_; k < own.to; k++) {
    let x = credit[k];
    if (x == OUT) { continue; }
    let at = keyOf(x);
    var isOut = at > key && at <= INFINITE;
    if (at == key) {
      isOut = before < go;
      before++;
    }
    if (isOut) { credit[k] = OUT; }
  }
}
