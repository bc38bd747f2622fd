// V of a policy in all states of listed levels, by backward induction (Bellman; Puterman 1994, ch. 4):
//
//   V_t(s) = Σ_a π(a|s) Q_t(s,a),  t = L − 1 … 0,  V_L = 0
//
// π is the softmax of the logits of a state over its legal actions. It adds up to 1 only up to rounding, and every step would
// add that up: V is the mean of Q by π. One workgroup per place, its invocations take turns in the states. Linked after levelTable.wgsl
// and softmax.wgsl.
//
// logits : [states of all replicas, outputs]     probs : [states of all replicas, A]

struct Dims { rows : u32, actions : u32, outputs : u32, words : u32, gamma : f32, inverse : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       tables : array<u32>;
@group(0) @binding(2) var<storage, read>       logits : array<f32>;
@group(0) @binding(3) var<storage, read_write> probs  : array<f32>;
@group(0) @binding(4) var<storage, read_write> values : array<f32>;

fn logitAt(z : u32, c : u32) -> f32 { return logits[z + c]; }
fn keepProb(at : u32, p : f32) { probs[at] = p; }

/// The mean of Q_t(s, ·) by π of the state, whose probabilities begin at `chances`.
fn valueOf(table : Table, s : u32, t : u32, chances : u32, later : u32) -> f32 {
  var mean = 0.0;
  var weight = 0.0;
  for (var a = 0u; a < dims.actions; a++) {
    let p = probs[chances + a];
    if (p == 0.0) { continue; }
    let q = pairValue(table, s * dims.actions + a, t, later);
    // no quotient before there are two: p/p need not be 1
    if (weight == 0.0) { mean = q; }
    weight += p;
    mean += (q - mean) * (p / weight);
  }
  return mean;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let place = dims.rows + 4u * (group.x + group.y * 65535u);
  if (tables[place + 3u] == 0u) { return; }
  let table = tableAt(tables[place]);
  let first = tables[place + 1u];
  let begin = tables[place + 2u];
  for (var s = local; s < table.n; s += 64u) {
    eachProb((first + s) * dims.outputs, tables[table.legal + s], (first + s) * dims.actions);
  }
  for (var left = table.limit; left > 0u; left--) {
    let here = begin + (left - 1u) * table.n;
    for (var s = local; s < table.n; s += 64u) {
      values[here + s] = valueOf(table, s, left - 1u, (first + s) * dims.actions, here + table.n);
    }
    storageBarrier();
  }
}
