// Places of the live steps of a batch in a list: real steps of trajectories with a weight, in order of trajectory and time; with
// dims.all those of the others too. Linked after startOf.wgsl, behind texts that have Dims (B, T, all), weightOf(s, i) and lengthOf(s, i) of
// trajectory i; workgroups have 256 invocations.
//
// list : [S, 4 + 2B + B·T, up to the next multiple of 64] = how many, 0, 0, 0, weight of each trajectory as bits, place of its
//        first step, then for every row i·(T + 1) + t, the place of its observation

@group(0) @binding(5) var<storage, read_write> list : array<u32>;

/// Of every stretch: its steps, and the place of the first one. No larger arrays: SwiftShader clears each number by instructions of
/// its own, and takes seconds to compile 2,000 of them.
var<workgroup> counts : array<u32, 256>;
var<workgroup> firsts : array<u32, 256>;
var<workgroup> sixteens : array<u32, 16>;

fn stepsOf(s : u32, i : u32) -> u32 { return select(lengthOf(s, i), 0u, dims.all == 0u && weightOf(s, i) == 0.0); }

/// Counts the steps of a replica, every invocation those of a stretch of trajectories, and puts weights and places of its
/// trajectories into their list; with `puts` its steps too, unless a stretch is one trajectory.
fn begin(s : u32, local : u32, puts : bool) {
  let stretch = (dims.B + 255u) / 256u;
  let from_ = min(local * stretch, dims.B);
  let to = min(from_ + stretch, dims.B);
  var n = 0u;
  for (var i = from_; i < to; i++) { n += stepsOf(s, i); }
  counts[local] = n;
  workgroupBarrier();
  // sixteen stretches together, then what lies before: of those, and of the stretches beside this one
  if (local < 16u) {
    var sum = 0u;
    for (var k = 16u * local; k < 16u * local + 16u; k++) { sum += counts[k]; }
    sixteens[local] = sum;
  }
  workgroupBarrier();
  var at = 0u;
  for (var k = 0u; k < local / 16u; k++) { at += sixteens[k]; }
  for (var k = local & 240u; k < local; k++) { at += counts[k]; }
  firsts[local] = at;
  let start = startOf(s);
  let steps = start + 4u + 2u * dims.B;
  if (local == 255u) { list[start] = at + n; }
  for (var i = from_; i < to; i++) {
    let own = stepsOf(s, i);
    list[start + 4u + i] = bitcast<u32>(weightOf(s, i));
    list[start + 4u + dims.B + i] = at;
    if (puts && dims.B > 256u) {
      for (var t = 0u; t < own; t++) { list[steps + at + t] = i * (dims.T + 1u) + t; }
    }
    at += own;
  }
}

/// All steps take their places: where trajectories are few, all invocations share those of each.
fn putAll(s : u32, local : u32) {
  begin(s, local, true);
  workgroupBarrier();
  if (dims.B > 256u) { return; }
  let steps = startOf(s) + 4u + 2u * dims.B;
  for (var id = local; id < dims.B * dims.T; id += 256u) {
    let i = id / dims.T;
    let t = id % dims.T;
    if (t < counts[i]) { list[steps + firsts[i] + t] = id + i; }
  }
}
