// Where row r has its bits: see sparseForward.wgsl. Linked after fixedRows.wgsl.
fn bitsOf(s : u32, r : u32) -> u32 {
  return (s * dims.B + r / dims.inner) * dims.outerStride + (r % dims.inner) * dims.innerStride + dims.base;
}

/// The same row after row, from r on: without a division.
var<private> step_ : u32;
var<private> row_  : u32;
fn beginAt(s : u32, r : u32) {
  step_ = r % dims.inner;
  row_ = (s * dims.B + r / dims.inner) * dims.outerStride + dims.base;
}
fn nextBits() -> u32 {
  let at = row_ + step_ * dims.innerStride;
  step_++;
  if (step_ == dims.inner) {
    step_ = 0u;
    row_ += dims.outerStride;
  }
  return at;
}
