// Gradient of the first layer over a slice of the rows, outputs in multiples of 4, for graphics devices: adds up as
// sparseGradientWide.wgsl does, row after row, but a workgroup brings 32 rows at a time into its memory, each invocation its share,
// and nobody waits for memory at every fourth row. A tile is 64 / ACROSS words of features by ACROSS times 4 outputs.
// Workgroups behind those may have the gradient of the last layer (lastLayer.wgsl), or there are none (noLayer.wgsl). Variants: see
// sparseGradientAny.wgsl. Bindings: bitRuns.wgsl, after which it is linked.

const DEPTH = 32u;
const DOWN = 64u / ACROSS;
var<workgroup> tileWords : array<u32, DEPTH * DOWN>;
var<workgroup> tileY     : array<vec4f, DEPTH * ACROSS>;

/// Word w of a row, 1 for the bias.
fn wordOf(s : u32, r : u32, w : u32) -> u32 {
  if (w >= dims.words) { return 1u; }
  return bits[bitsOf(s, r) + w];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  if (lastLayer(group, local)) { return; }
  let out4 = dims.out / 4u;
  let across = (out4 + ACROSS - 1u) / ACROSS;
  let s = group.z;
  let w0 = group.x / across * DOWN;
  let j0 = group.x % across * ACROSS;
  let y = local / ACROSS;
  let x = local % ACROSS;
  let stretch = (rowsOf(s) + dims.slices - 1u) / dims.slices;
  let to = min(group.y * stretch + stretch, rowsOf(s));
  for (var r0 = group.y * stretch; r0 < to; r0 += DEPTH) {
    for (var id = local; id < DEPTH * DOWN; id += 64u) {
      tileWords[id] = wordOf(s, min(r0 + id / DOWN, to - 1u), w0 + id % DOWN);
    }
    for (var id = local; id < DEPTH * ACROSS; id += 64u) {
      let r = s * dims.maxRows + min(r0 + id / ACROSS, to - 1u);
      tileY[id] = dY[r * out4 + min(j0 + id % ACROSS, out4 - 1u)];
    }
    workgroupBarrier();
    let rows = min(DEPTH, to - r0);
    for (var k = 0u; k < rows; k++) { take(tileWords[k * DOWN + y], tileY[k * ACROSS + x]); }
    workgroupBarrier();
  }
  if (w0 + y < dims.words + dims.hasBias && j0 + x < out4) { end(group, w0 + y, j0 + x); }
}
