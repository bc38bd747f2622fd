// Where row r of a list of live steps has its bits: see liveSteps.wgsl. Linked after liveRows.wgsl.
fn bitsOf(s : u32, r : u32) -> u32 {
  beginAt(s, r);
  return nextBits();
}

/// The same row after row, from r on.
var<private> at_    : u32;
var<private> first_ : u32;
fn beginAt(s : u32, r : u32) {
  at_ = s * dims.stride + 4u + 2u * dims.B + r;
  first_ = s * dims.B * dims.outerStride;
}
fn nextBits() -> u32 {
  at_++;
  return first_ + rows[at_ - 1u] * dims.innerStride;
}
