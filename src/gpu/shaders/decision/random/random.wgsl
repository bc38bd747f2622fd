// Threefry-2x32-20 (Salmon et al. 2011), equal to core/random.ts in every bit. No generator state: a draw is a
// function of (seed, purpose, a, b, c).

fn rotl(x : u32, n : u32) -> u32 { return (x << n) | (x >> (32u - n)); }

fn threefry(key : vec2u, ctr : vec2u) -> vec2u {
  let k2 = key.x ^ key.y ^ 0x1BD11BDAu;
  var x = ctr + key;
  let even = array<u32, 4>(13u, 15u, 26u, 6u);
  let odd = array<u32, 4>(17u, 29u, 16u, 24u);
  for (var block = 0u; block < 5u; block++) {
    for (var r = 0u; r < 4u; r++) {
      x.x += x.y;
      x.y = rotl(x.y, select(odd[r], even[r], (block & 1u) == 0u)) ^ x.x;
    }
    let s = block + 1u;
    let a = s % 3u;
    let b = (s + 1u) % 3u;
    x.x += select(select(k2, key.y, a == 1u), key.x, a == 0u);
    x.y += select(select(k2, key.y, b == 1u), key.x, b == 0u) + s;
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
