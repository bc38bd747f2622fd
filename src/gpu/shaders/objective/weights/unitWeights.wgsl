// Aggregation weight of every unit of a trajectory in minibatch m of an epoch (spec objective §0), of which a step holds one
// or up to `most`: mode 0 unitMean 1/Σn, 1 seqMeanUnitMean 1/(B⁺·n), 2 seqMeanUnitSum 1/B⁺, 3 constant 1/(B⁺·T·most), 4
// unitSum 1, 5 constant with B⁺ and the trajectories that were left out; 0 for those and for trajectories of other minibatches.
// Linked after tree.wgsl. Whole numbers: no order changes a bit.
//
// length, units : [S, B], the same where a unit is a step
// member : [epochs, S, B] minibatch of each trajectory, with the highest bit set where it is left out     plan : [S, B, 2] = weight, length
// all, few : not read here, see weighedSteps.wgsl

struct Dims {
  S : u32, B : u32, lanes : u32, T : u32, most : u32, mode : u32, epoch : u32, minibatch : u32, all : u32, few : u32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       units  : array<u32>;
@group(0) @binding(3) var<storage, read>       member : array<u32>;
@group(0) @binding(4) var<storage, read_write> plan   : array<f32>;

/// units and trajectories of the minibatch
struct Sums { units : u32, rows : u32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.units + b.units, a.rows + b.rows); }

fn isIn(s : u32, i : u32) -> bool { return member[(dims.epoch * dims.S + s) * dims.B + i] == dims.minibatch; }

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  if (isIn(s, i)) { return merge(sums, Sums(units[s * dims.B + i], 1u)); }
  let wasIn = dims.mode == 5u && (member[(dims.epoch * dims.S + s) * dims.B + i] & 0x7fffffffu) == dims.minibatch;
  return merge(sums, Sums(0u, select(0u, 1u, wasIn)));
}

fn weigh(s : u32, i : u32, all : Sums) {
  let row = s * dims.B + i;
  var w = 0.0;
  if (isIn(s, i)) {
    if (dims.mode == 0u) { w = 1.0 / f32(all.units); }
    else if (dims.mode == 1u) { w = 1.0 / f32(all.rows * units[row]); }
    else if (dims.mode == 2u) { w = 1.0 / f32(all.rows); }
    else if (dims.mode == 4u) { w = 1.0; }
    else { w = 1.0 / f32(all.rows * dims.T * dims.most); }
  }
  plan[2u * row] = w;
  plan[2u * row + 1u] = f32(length[row]);
}
