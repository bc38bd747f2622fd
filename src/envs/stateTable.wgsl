// Facts of a state from the table of its level: the twin of stateTable.ts, which says how the words lie. Linked after an
// environment's step.wgsl, which declares `state`; the kernel declares
//   tables : array<u32>     tables of levels
// An environment adds tellState and novelKey, as signalStates.wgsl asks for them.

struct Told { reached : u32, completion : f32, phi : f32, cost : f32, lost : u32 }

const NO_WAY = 0xffffffffu;
const OF_VALUE = 2u;

/// Word of the row of a key among the `rows` from word `at` on, NO_WAY where it is not there.
fn rowAt(at : u32, rows : u32, key : vec2u) -> u32 {
  var low = 0u;
  var high = rows;
  while (low < high) {
    let mid = (low + high) >> 1u;
    let k = at + 3u * mid;
    if (tables[k] < key.x || (tables[k] == key.x && tables[k + 1u] < key.y)) { low = mid + 1u; } else { high = mid; }
  }
  let k = at + 3u * low;
  if (low < rows && tables[k] == key.x && tables[k + 1u] == key.y) { return k; }
  return NO_WAY;
}

/// V* beside a key; 0 where it is not there.
fn valueOf(at : u32, rows : u32, key : vec2u) -> f32 {
  let row = rowAt(at, rows, key);
  if (row == NO_WAY) { return 0.0; }
  return bitcast<f32>(tables[row + 2u]);
}
