// Where the sums of bitRuns.wgsl go if rows are cut into slices: linked after it.
//
// partials : [S, slices, size/4]
@group(0) @binding(3) var<storage, read_write> partials : array<vec4f>;

/// The sums of word w and the j-th four outputs become part of a slice; the word behind the last one is the bias.
fn end(group : vec3u, w : u32, j : u32) {
  give();
  let out4 = dims.out / 4u;
  let part = (group.z * dims.slices + group.y) * dims.size;
  if (w == dims.words) {
    partials[(part + dims.biasAt) / 4u + j] = totals[0];
    return;
  }
  let at = (part + dims.weightAt) / 4u + j;
  let last = min(w * 32u + 32u, dims.features);
  for (var f = w * 32u; f < last; f++) { partials[at + f * out4] = totals[f % 32u]; }
}
