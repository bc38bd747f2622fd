// All workgroups have the first layer, see sparseGradientTiled.wgsl.
fn lastLayer(group : vec3u, local : u32) -> bool { return false; }
