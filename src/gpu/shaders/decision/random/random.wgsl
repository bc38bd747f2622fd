// Threefry-2x32-20 (Salmon et al. 2011), equal to core/random.ts in every bit. No generator state: a draw is a
// function of (seed, purpose, a, b, c).

fn rotl(x : u32, n : u32) -> u32 { return (x << n) | (x >> (32u - n)); }

fn mixed(x : vec2u, n : u32) -> vec2u {
  let sum = x.x + x.y;
  return vec2u(sum, rotl(x.y, n) ^ sum);
}

/// Five times four rounds: nothing is chosen by the number of a round, however a driver compiles the loop.
fn threefry(key : vec2u, ctr : vec2u) -> vec2u {
  var k = vec3u(key, key.x ^ key.y ^ 0x1BD11BDAu);
  var x = ctr + key;
  var by = vec4u(13u, 15u, 26u, 6u);
  var other = vec4u(17u, 29u, 16u, 24u);
  for (var s = 1u; s <= 5u; s++) {
    x = mixed(mixed(mixed(mixed(x, by.x), by.y), by.z), by.w);
    k = k.yzx;
    x += vec2u(k.x, k.y + s);
    let now = by;
    by = other;
    other = now;
  }
  return x;
}

/// First word of random(seed, purpose, a, b, c) = T(key = T((seed, purpose), (a, b)), counter = (c, 0)).
fn random(seed : u32, purpose : u32, a : u32, b : u32, c : u32) -> u32 {
  return threefry(threefry(vec2u(seed, purpose), vec2u(a, b)), vec2u(c, 0u)).x;
}

/// floor(x * n / 2^32) for 1 <= n <= 65535, inside u32.
fn below(x : u32, n : u32) -> u32 {
  return ((x >> 16u) * n + (((x & 0xffffu) * n) >> 16u)) >> 16u;
}

/// Uniform in [0, 1): the top 24 bits.
fn uniform01(x : u32) -> f32 { return f32(x >> 8u) * 5.9604644775390625e-8; }
