// Place of an invocation where the first SEATS of a workgroup have one row of a list of live steps each. Linked in the place of
// everyStep.wgsl and planned.wgsl, after startOf.wgsl.
//
// rows : see liveSteps.wgsl
@group(0) @binding(10) var<storage, read> rows : array<u32>;

struct Place { s : u32, row : u32, step : u32, z : u32 }

/// Where the outputs of all steps have those of this one, and the weight of its trajectory.
var<private> whole  : u32;
var<private> weight : f32;

fn placeOf(group : vec3u, local : u32) -> Place {
  let r = (group.x + group.y * 65535u) * SEATS + local;
  let s = group.z;
  let steps = dims.B * dims.T;
  let start = startOf(s);
  if (local >= SEATS || r >= rows[start]) { return Place(s, 0u, NONE, 0u); }
  let obs = rows[start + 4u + 2u * dims.B + r];
  let i = obs / (dims.T + 1u);
  let step = s * steps + obs - i;
  whole = step * dims.n;
  weight = bitcast<f32>(rows[start + 4u + i]);
  return Place(s, s * dims.B + i, step, (s * steps + r) * dims.n);
}

fn weightOf(at : Place) -> f32 { return weight; }
fn isReal(at : Place) -> bool { return true; }
