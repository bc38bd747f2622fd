// Sum of the parts that slices of rows have added up, in the order of the slices. One invocation per 4 parameters;
// size is a multiple of 4, as layouts have it. Replicas in z. Linked after sums.wgsl, which adds up by the way what an
// optimizer step wants to know of all parameters, or noSums.wgsl.
//
// partials : [S, slices, size/4]     gradient : [S, size/4]
// steps: of a replica, whose losses are added up

struct Dims { size : u32, slices : u32, steps : u32 }

@group(0) @binding(0) var<uniform>             dims     : Dims;
@group(0) @binding(1) var<storage, read>       partials : array<vec4f>;
@group(0) @binding(2) var<storage, read_write> gradient : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) id : vec3u, @builtin(local_invocation_index) local : u32) {
  let group = id.x + id.y * 65535u;
  let k = group * 64u + local;
  let size4 = dims.size / 4u;
  let s = id.z;
  var sum = vec4f();
  if (k < size4) {
    var at = s * dims.slices * size4 + k;
    var i = 0u;
    // four slices are asked for at once, and added one after the other
    for (; i + 4u <= dims.slices; i += 4u) {
      let p0 = partials[at];
      let p1 = partials[at + size4];
      let p2 = partials[at + 2u * size4];
      let p3 = partials[at + 3u * size4];
      sum = (((sum + p0) + p1) + p2) + p3;
      at += 4u * size4;
    }
    for (; i < dims.slices; i++) {
      sum += partials[at];
      at += size4;
    }
    gradient[s * size4 + k] = sum;
  }
  let squares = sum * sum;
  keepSums(s, group, (dims.size + 255u) / 256u, local, dims.steps, (squares.x + squares.y) + (squares.z + squares.w));
}
