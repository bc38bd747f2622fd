// Statistics of the steps that a list leaves out, see places.wgsl: zeros, every invocation of dims.mostRows a share of them. Linked
// after listedSteps.wgsl.
fn clearOthers(group : vec3u, local : u32) {
  let s = group.z;
  let steps = dims.B * dims.T;
  let start = startOf(s);
  let firsts = start + 4u + dims.B;
  let r = (group.x + group.y * 65535u) * 64u + local;
  if (r >= dims.mostRows) { return; }
  for (var id = r; id < steps; id += dims.mostRows) {
    let i = id / dims.T;
    var next = rows[start];
    if (i + 1u < dims.B) { next = rows[firsts + i + 1u]; }
    if (rows[firsts + i] + id % dims.T < next) { continue; }
    for (var k = 0u; k < 6u; k++) { stats[6u * (s * steps + id) + k] = 0.0; }
  }
}
