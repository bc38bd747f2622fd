// Words of a step: a number of its own and two numbers of the same trajectory, `near` and `far` steps earlier, where the
// trajectory was as old; before that 0xffffffff, or with `whole` no words at all.
//
// a, b : [S, B, T]

struct Dims { B : u32, T : u32, block : u32, near : u32, far : u32, whole : u32 }

@group(0) @binding(0) var<uniform>       dims : Dims;
@group(0) @binding(4) var<storage, read> a    : array<u32>;
@group(0) @binding(5) var<storage, read> b    : array<u32>;

fn wordsOf(row : u32, t : u32) -> vec4u {
  let k = row * dims.T + t;
  var words = vec4u(a[k], NONE, NONE, 0u);
  if (t >= dims.near) { words.y = b[k - dims.near]; }
  if (t >= dims.far) { words.z = b[k - dims.far]; }
  if (dims.whole == 1u && (words.y == NONE || words.z == NONE)) { words.x = NONE; }
  return words;
}
