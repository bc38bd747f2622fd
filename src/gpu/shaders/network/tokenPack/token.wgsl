// A token as four words: token | (prefix + 1) << 8 | row << 16, place | order << 16, ancestors, first token of its row.
// Tokens of the context have prefix + 1 = 0.
fn tokenOf(t : vec4u) -> u32 { return t.x & 255u; }
fn prefixOf(t : vec4u) -> u32 { return (t.x >> 8u) & 255u; }
fn rowOf(t : vec4u) -> u32 { return t.x >> 16u; }
fn placeOf(t : vec4u) -> u32 { return t.y & 65535u; }
fn orderOf(t : vec4u) -> u32 { return t.y >> 16u; }

/// May token q read token k of the same row? Both read the context; a prefix reads its own beginnings.
fn isReadable(q : vec4u, k : vec4u) -> bool {
  let prefix = prefixOf(k);
  return prefix == 0u || ((q.z >> (prefix - 1u)) & 1u) == 1u;
}
