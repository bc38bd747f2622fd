// An objective whose gradient is that of log π itself: κ = 1, so a weight is the slope by the log-probability.

fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f { return vec3f(0.0, 1.0, 0.0); }
