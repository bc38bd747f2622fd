// 64-bit hashes of lists of words, by the blocks of random.wgsl, which is linked in front. One invocation per list:
// H = (tag, family); a list of odd length gets one 0; then H = block(key = H, counter = pair) for each pair.
//
// lists : [count, 4] = tag, family, first word, how many     words : the lists behind each other
// hashed : [count, 2] = high, low

struct Dims { count : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       lists  : array<u32>;
@group(0) @binding(2) var<storage, read>       words  : array<u32>;
@group(0) @binding(3) var<storage, read_write> hashed : array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  if (id.x >= dims.count) { return; }
  let at = 4u * id.x;
  var h = vec2u(lists[at], lists[at + 1u]);
  let first = lists[at + 2u];
  let many = lists[at + 3u];
  for (var k = 0u; k < many; k += 2u) {
    var pair = vec2u(words[first + k], 0u);
    if (k + 1u < many) { pair.y = words[first + k + 1u]; }
    h = threefry(h, pair);
  }
  hashed[2u * id.x] = h.x;
  hashed[2u * id.x + 1u] = h.y;
}
