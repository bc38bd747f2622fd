// The marks of an objective that looks at all units of a minibatch. One workgroup per replica: every invocation takes each
// 256th trajectory, whose steps are one unit each, and sums are added in a fixed tree. Linked with what the objective says:
//   ROUNDS                                   how often all units are gone over before they are marked
//   termOf(u : Unit) -> f32                  what is summed over the trajectory of a unit: u.sum, 0 in here
//   partOf(u : Unit, all : vec4f) -> vec4f   what is averaged over all units, twice, and that of which the largest is taken, twice;
//                                            the first mean is added to all.x, the others take the places of all.yzw
//   markOf(u : Unit, all : vec4f) -> vec2f   the mark of a unit, and what the objective tells of it
// Steps that are not looked at have `empty` for both.
//
// plan : [S, B, 2] = weight, length     stats : see coefficients
// credit : [S, B, T] A, and at `marksAt` the marks, written here
// known : [2, S, B, T] = log π_prox − log π_old; what is told, written here

struct Dims { B : u32, T : u32, marksAt : u32, toldAt : u32, empty : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       plan   : array<f32>;
@group(0) @binding(2) var<storage, read>       stats  : array<f32>;
@group(0) @binding(3) var<storage, read_write> credit : array<f32>;
@group(0) @binding(4) var<storage, read_write> known  : array<f32>;

/// prox = log π_prox − log π_old; n units in its trajectory
struct Unit { A : f32, delta : f32, prox : f32, sum : f32, n : f32 }

/// two sums and how many; two largest numbers
var<workgroup> sums : array<vec3f, 256>;
var<workgroup> tops : array<vec2f, 256>;

fn lengthOf(row : u32) -> u32 { return select(0u, u32(plan[2u * row + 1u]), plan[2u * row] != 0.0); }

fn unitAt(step : u32, sum : f32, n : u32) -> Unit {
  return Unit(credit[step], stats[6u * step + 4u], known[step], sum, f32(n));
}

fn sumOf(first : u32, n : u32) -> f32 {
  var sum = 0.0;
  for (var t = 0u; t < n; t++) { sum += termOf(unitAt(first + t, 0.0, n)); }
  return sum;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let from_ = group.z * dims.B;
  var all = vec4f();
  for (var round = 0u; round < ROUNDS; round++) {
    var mine = vec3f();
    var top = vec2f(-3.4e38);
    for (var row = from_ + local; row < from_ + dims.B; row += 256u) {
      let n = lengthOf(row);
      let sum = sumOf(row * dims.T, n);
      for (var t = 0u; t < n; t++) {
        let part = partOf(unitAt(row * dims.T + t, sum, n), all);
        mine += vec3f(part.xy, 1.0);
        top = max(top, part.zw);
      }
    }
    workgroupBarrier();
    sums[local] = mine;
    tops[local] = top;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
      if (local < half) {
        sums[local] += sums[local + half];
        tops[local] = max(tops[local], tops[local + half]);
      }
      workgroupBarrier();
    }
    let total = workgroupUniformLoad(&sums[0]);
    let means = total.xy / max(total.z, 1.0);
    all = vec4f(all.x + means.x, means.y, workgroupUniformLoad(&tops[0]));
  }
  for (var row = from_ + local; row < from_ + dims.B; row += 256u) {
    let n = lengthOf(row);
    let sum = sumOf(row * dims.T, n);
    for (var t = 0u; t < dims.T; t++) {
      let step = row * dims.T + t;
      var mark = vec2f(dims.empty);
      if (t < n) { mark = markOf(unitAt(step, sum, n), all); }
      credit[dims.marksAt + step] = mark.x;
      known[dims.toldAt + step] = mark.y;
    }
  }
}
