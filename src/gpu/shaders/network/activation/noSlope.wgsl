// The inputs of the layer come from no activation.
fn slopeAt(at : u32) -> f32 { return 1.0; }
