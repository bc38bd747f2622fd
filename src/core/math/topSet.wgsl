// The same as topSet.ts over p[0 … actions) of restrict.wgsl: rule = (topP, minKeep, 0, 0).

fn keptActions(actions : u32, rule : vec4f) -> u32 {
  var kept = 0u;
  var reached = 0.0;
  for (var k = 0u; k < actions && (reached < rule.x || f32(k) < rule.y); k++) {
    var best = 32u;
    var most = 0.0;
    for (var b = 0u; b < actions; b++) {
      if (((kept >> b) & 1u) == 0u && p[b] > most) {
        best = b;
        most = p[b];
      }
    }
    if (best == 32u) { break; }
    kept |= 1u << best;
    reached += most;
  }
  return kept;
}
