// Aggregation weight of every unit of a trajectory in minibatch m of an epoch (spec objective §0), of which a step holds one
// or up to `most`: mode 0 unitMean 1/Σn, 1 seqMeanUnitMean 1/(B⁺·n), 2 seqMeanUnitSum 1/B⁺, 3 constant 1/(B⁺·T·most), 4
// unitSum 1, 5 constant with B⁺ and the trajectories that were left out; 0 for those and for trajectories of other minibatches.
// Linked after tree.wgsl. Whole numbers: no order changes a bit.
//
// Looks at one batch may be weighed in a dispatch, the last one first: replica s of look l is `v` = (dims.look − l)·S + s. Look l is
// at minibatch l mod `minibatches` of epoch l / `minibatches`.
//
// length, units : [S, B], the same where a unit is a step
// member : [epochs, S, B] minibatch of each trajectory, with the highest bit set where it is left out
// plan   : [S, B, 2] = weight, length, of the last look
// all, few : not read here, see weighedSteps.wgsl

struct Dims {
  S : u32, B : u32, lanes : u32, T : u32, most : u32, mode : u32, look : u32, minibatches : u32, all : u32, few : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       units  : array<u32>;
@group(0) @binding(3) var<storage, read>       member : array<u32>;
@group(0) @binding(4) var<storage, read_write> plan   : array<f32>;

/// units and trajectories of the minibatch
struct Sums { units : u32, rows : u32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.units + b.units, a.rows + b.rows); }

fn rowOf(v : u32, i : u32) -> u32 { return v % dims.S * dims.B + i; }
fn memberOf(v : u32, i : u32) -> u32 {
  let epoch = (dims.look - v / dims.S) / dims.minibatches;
  return member[epoch * dims.S * dims.B + rowOf(v, i)];
}
fn minibatchOf(v : u32) -> u32 { return (dims.look - v / dims.S) % dims.minibatches; }

fn add(sums : Sums, v : u32, i : u32) -> Sums {
  let m = memberOf(v, i);
  if (m == minibatchOf(v)) { return merge(sums, Sums(units[rowOf(v, i)], 1u)); }
  let wasIn = dims.mode == 5u && (m & 0x7fffffffu) == minibatchOf(v);
  return merge(sums, Sums(0u, select(0u, 1u, wasIn)));
}

fn unitWeight(v : u32, i : u32, all : Sums) -> f32 {
  if (memberOf(v, i) != minibatchOf(v)) { return 0.0; }
  if (dims.mode == 0u) { return 1.0 / f32(all.units); }
  if (dims.mode == 1u) { return 1.0 / f32(all.rows * units[rowOf(v, i)]); }
  if (dims.mode == 2u) { return 1.0 / f32(all.rows); }
  if (dims.mode == 4u) { return 1.0; }
  return 1.0 / f32(all.rows * dims.T * dims.most);
}

fn keep(s : u32, i : u32, weight : f32) {
  let row = s * dims.B + i;
  plan[2u * row] = weight;
  plan[2u * row + 1u] = f32(length[row]);
}
