// How far single words of written commands are from a free choice: mean over the decided words of the batch of
// H / log(legal words), where a word without a choice counts as 0, and mean over its steps of Σ log(legal words), the
// largest entropy the commands could have had. One workgroup per replica, 256 partial sums and a fixed tree.
// Linked behind command.wgsl.
//
// grammar : see command.wgsl     length : [S, B]     choice : [3][S, B, T] = legal bits, action, command
// sampled : as commandHead writes it: of every decided word the entropy in section 3 + decisions
// record : [S, 16], 1 = the first, 3 = the second; the others are left alone

struct Dims { B : u32, T : u32, J : u32, masked : u32, decisions : u32, section : u32, floatSection : u32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       grammar : array<u32>;
@group(0) @binding(2) var<storage, read>       length  : array<u32>;
@group(0) @binding(3) var<storage, read>       choice  : array<u32>;
@group(0) @binding(4) var<storage, read>       sampled : array<f32>;
@group(0) @binding(5) var<storage, read_write> record  : array<f32>;

/// steps, words, Σ H / log n, Σ log n
var<workgroup> partial : array<vec4f, 256>;

fn legalWords(j : u32, legal : u32) -> u32 {
  var n = 0u;
  for (var c = firstSlot(j); c < endSlot(j); c++) { n += u32(isLegalSlot(c, legal)); }
  return n;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  let N = dims.B * dims.T;
  var mine = vec4f();
  for (var id = local; id < N; id += 256u) {
    if (id % dims.T >= length[s * dims.B + id / dims.T]) { continue; }
    let step = s * N + id;
    let entropyAt = (3u + dims.decisions) * dims.floatSection + step * dims.decisions;
    mine.x += 1.0;
    var j = 0u;
    for (var k = 0u; k < dims.decisions; k++) {
      let c = slotOf(j, choice[2u * dims.section + step]);
      if (c == NONE) { break; }
      let n = legalWords(j, choice[step]);
      mine.y += 1.0;
      if (n > 1u) {
        let most = log(f32(n));
        mine.z += sampled[entropyAt + k] / most;
        mine.w += most;
      }
      if (slotNext(c) == NONE) { break; }
      j = slotNext(c);
    }
  }
  partial[local] = mine;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (local < half) { partial[local] += partial[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) {
    let all = partial[0];
    record[s * 16u + 1u] = all.z / all.y;
    record[s * 16u + 3u] = all.w / all.x;
  }
}
