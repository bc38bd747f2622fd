// What a gated recurrent unit makes of its sums, see gruCell.wgsl, which is linked after this as gruWalk.wgsl is.

/// What exp makes of more than 88 is not said.
fn sigmoid(v : f32) -> f32 { return 1.0 / (1.0 + exp(select(-v, 87.0, v < -87.0))); }

/// r, z, g of the products of the input and of the memory.
fn gatesOf(x : vec3f, u : vec3f) -> vec3f {
  let r = sigmoid(x.x + u.x);
  let z = sigmoid(x.y + u.y);
  // tanh of large arguments overflows inside some drivers' exp
  return vec3f(r, z, tanh(clamp(x.z + r * u.z, -15.0, 15.0)));
}

fn remembered(gates : vec3f, held : f32) -> f32 { return (1.0 - gates.y) * gates.z + gates.y * held; }
