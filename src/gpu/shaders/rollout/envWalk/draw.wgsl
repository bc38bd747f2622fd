// Draws one by one, in every form in which golden values name them; linked after random.wgsl. One invocation per row.
//
// rows : [count, 6] = a, b, c, d, e, n
// drawn : [count, 6] = the block with key (a, b) and counter (c, d), both words of random(a, b, c, d, e), below(a, n), and
//   below(random(a, b, c, d, e), n), which is one draw of a level stream

struct Dims { count : u32 }

@group(0) @binding(0) var<uniform>             dims  : Dims;
@group(0) @binding(1) var<storage, read>       rows  : array<u32>;
@group(0) @binding(2) var<storage, read_write> drawn : array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  if (id.x >= dims.count) { return; }
  let at = 6u * id.x;
  let key = vec2u(rows[at], rows[at + 1u]);
  let ctr = vec2u(rows[at + 2u], rows[at + 3u]);
  let e = rows[at + 4u];
  let n = rows[at + 5u];
  let block = threefry(key, ctr);
  let word = random(key.x, key.y, ctr.x, ctr.y, e);
  drawn[at] = block.x;
  drawn[at + 1u] = block.y;
  drawn[at + 2u] = word;
  drawn[at + 3u] = threefry(block, vec2u(e, 0u)).y;
  drawn[at + 4u] = below(key.x, n);
  drawn[at + 5u] = below(word, n);
}
