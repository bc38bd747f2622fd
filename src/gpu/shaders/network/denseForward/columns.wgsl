// Which 8 rows and which columns an invocation computes, with how they are read and written. All invocations have the same
// number of columns; the last ones of a row begin earlier where they would reach beyond it, and write only what is their own.

const COLUMNS = FULL + PART;

// first row, first column, and the first one to be written
struct Block { row : u32, column : u32, own : u32 }

fn blockOf(id : u32) -> Block {
  let across = (dims.out + COLUMNS - 1u) / COLUMNS;
  let own = (id % across) * COLUMNS;
  return Block((id / across) * 8u, min(own, dims.out - COLUMNS), own);
}

fn fullAt(at : u32) -> vec4f {
  var w = vec4f();
  if (FULL == 4u) { w = vec4f(theta[at], theta[at + 1u], theta[at + 2u], theta[at + 3u]); }
  return w;
}

fn full(a : f32, w : vec4f, sum : vec4f) -> vec4f {
  var z = sum;
  if (FULL == 4u) { z = fma(vec4f(a), w, z); }
  return z;
}

fn put(s : u32, block : Block, k : u32, left : vec4f, right : Part) {
  if (block.row + k >= rowCount) { return; }
  let at = (s * dims.maxRows + block.row + k) * dims.out + block.column;
  let own = block.own - block.column;
  if (FULL == 4u) {
    if (own == 0u) { store(at, left.x); }
    if (own <= 1u) { store(at + 1u, left.y); }
    if (own <= 2u) { store(at + 2u, left.z); }
    if (own <= 3u) { store(at + 3u, left.w); }
  }
  putPart(at + FULL, max(own, FULL) - FULL, right);
}

fn store(at : u32, z : f32) {
  keep(at, z);
  Y[at] = act(z);
}
