// The same in a list of live steps (places.wgsl), where those of a trajectory lie one after the other. Linked in the place of
// everyStep.wgsl, after startOf.wgsl.
@group(0) @binding(10) var<storage, read> rows : array<u32>;

/// Where the list says in which place the first step of trajectory i is.
fn firstAt(s : u32, i : u32) -> u32 { return startOf(s) + 4u + dims.B + i; }
fn stepAt(s : u32, i : u32, t : u32) -> u32 { return s * dims.B * dims.T + rows[firstAt(s, i)] + t; }
fn stepsOf(s : u32, i : u32) -> u32 {
  // the last one ends with the list
  let end = select(firstAt(s, i + 1u), startOf(s), i + 1u == dims.B);
  return rows[end] - rows[firstAt(s, i)];
}
