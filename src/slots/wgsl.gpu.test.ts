import { expect, test } from 'vitest';
import { random, uniform } from '../core/random.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { LEFT_OUT } from '../core/math/clip.ts';
import { objectives, optimizers } from './methods.ts';
import { withMasks } from './objective/masks.ts';

const N = 4096;
/** Test draws in [low, high), reproducible. */
const draw = (which: number, k: number, low: number, high: number): number =>
  low + (high - low) * uniform(random(11, 60, which, k, 0));

/** Runs `body` for every index k over input columns x (vec4f per k) and y (vec4f per k); returns vec3f per k. */
async function runOnGpu(functions: string, body: string, x: Float32Array, y: Float32Array, p: readonly number[]) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter!.requestDevice();
  const code = `${functions}
@group(0) @binding(0) var<uniform> p : vec4f;
@group(0) @binding(1) var<storage, read> x : array<vec4f>;
@group(0) @binding(2) var<storage, read> y : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> result : array<vec4f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  let k = id.x;
  if (k >= arrayLength(&x)) { return; }
  result[k] = vec4f(${body}, 1.0);
}`;
  device.pushErrorScope('validation');
  const buffer = (data: Float32Array, usage: number): GPUBuffer => {
    const made = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(made, 0, data as Float32Array<ArrayBuffer>);
    return made;
  };
  const { STORAGE, UNIFORM, COPY_SRC, MAP_READ, COPY_DST } = GPUBufferUsage;
  // Written out, because an automatic layout leaves out what a snippet does not read.
  const layout = device.createBindGroupLayout({
    entries: (['uniform', 'read-only-storage', 'read-only-storage', 'storage'] as const).map((type, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type },
    })),
  });
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: device.createShaderModule({ code }), entryPoint: 'main' },
  });
  const out = buffer(new Float32Array(x.length).fill(777), STORAGE | COPY_SRC);
  const back = device.createBuffer({ size: out.size, usage: MAP_READ | COPY_DST });
  const resources = [buffer(Float32Array.from(p), UNIFORM), buffer(x, STORAGE), buffer(y, STORAGE), out];
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout,
      entries: resources.map((r, binding) => ({ binding, resource: { buffer: r } })),
    }),
  );
  pass.dispatchWorkgroups(Math.ceil(x.length / 4 / 64));
  pass.end();
  encoder.copyBufferToBuffer(out, 0, back, 0, out.size);
  device.queue.submit([encoder.finish()]);
  await back.mapAsync(GPUMapMode.READ);
  const result = new Float32Array(back.getMappedRange().slice(0));
  expect((await device.popErrorScope())?.message).toBeUndefined();
  device.destroy();
  return result;
}

const variants = objectives.flatMap((objective) => {
  const base: AnyValues = defaultsOf(objective.params);
  const on = Object.entries(objective.params).filter(([, s]) => s.kind === 'switch');
  const chosen = Object.entries(objective.params).flatMap(([name, s]) =>
    s.kind === 'choice' ? s.options.slice(1).map((option) => ({ ...base, [name]: option })) : [],
  );
  const all = [base, ...on.map(([name]) => ({ ...base, [name]: true })), ...chosen];
  const masked = withMasks(objective, { topEntropy: 0.5, offPolicyKl: 0.1 });
  return [
    ...all.map((params) => [`${objective.id} ${JSON.stringify(params)}`, objective, params] as const),
    ...all.map((params) => [`${objective.id} ${JSON.stringify(params)}, with masks`, masked, params] as const),
  ];
});

const NEAR = 1e-5;

test.each(variants)('%s: WGSL agrees with the definition', async (_, objective, params) => {
  const x = new Float32Array(N * 4);
  const plain = objectives.find((o) => o.id === objective.id)!;
  const bounds = objective.uniforms(params);
  for (let k = 0; k < N; k++) {
    // a quarter of the units far off policy, some without credit
    const wide = k % 4 === 0 ? 30 : 0.6;
    // marks are flags, log-weights or credit: a third each of 0, 1 and anything; with masks some units are left out
    const own = k % 3 < 2 ? k % 3 : draw(8, k, -3, 3);
    const isMasked = objective !== plain;
    const kept = isMasked && !plain.survey ? bounds[3] : own;
    const mark = (isMasked || objective.id === 'm2po') && k % 7 === 3 ? LEFT_OUT : kept;
    x.set([k % 16 === 5 ? 0 : draw(1, k, -2, 2), draw(2, k, -wide, wide), draw(3, k, -6, 0), mark], 4 * k);
  }
  const got = await runOnGpu(
    objective.wgsl,
    objective.survey
      ? 'coefficient(x[k].x, x[k].y, x[k].z, vec4f(p.xyz, x[k].w))'
      : 'coefficient(x[k].x, x[k].y, x[k].z, p)',
    x,
    x,
    objective.uniforms(params),
  );
  const out = { loss: 0, kappa: 0, clip: 0 };
  let compared = 0;
  for (let k = 0; k < N; k++) {
    const [A, delta, logp, mark] = x.subarray(4 * k, 4 * k + 4) as unknown as [number, number, number, number];
    // within rounding of a bound both decisions are right
    const near = (b: number, d: number): boolean => Math.abs(d - Math.log(b)) < NEAR;
    const ratios = objective.survey ? [delta, mark, delta - mark] : [delta];
    if (bounds.some((b) => Math.abs(b) > 0 && Math.abs(b) < 100 && b !== 1 && ratios.some((d) => near(Math.abs(b), d))))
      continue;
    // so they are where any other bound is, in a divergence or a probability
    const clipOf = (by: number, of: number): number => {
      objective.coefficient({ A, delta: delta + by, logp: logp + of, mark }, params, out);
      return out.clip;
    };
    if (new Set([clipOf(0, 0), clipOf(NEAR, 0), clipOf(-NEAR, 0), clipOf(0, NEAR), clipOf(0, -NEAR)]).size > 1)
      continue;
    objective.coefficient({ A, delta, logp, mark }, params, out);
    for (const [at, want] of [out.loss, out.kappa].entries()) {
      const value = got[4 * k + at]!;
      // WGSL promises exp to 3 + 2|x| ulp: 43 ulp at |x| = 20, then three products
      const allowed = 1e-6 + 8e-6 * Math.abs(want);
      if (!(Math.abs(value - want) <= allowed)) {
        throw new Error(`A ${A}, Δ ${delta}, log π ${logp}: output ${at} is ${value}, want ${want}`);
      }
    }
    expect(got[4 * k + 2]).toBe(out.clip);
    compared++;
  }
  expect(compared).toBeGreaterThan(N * 0.99);
});

test.each(optimizers.map((o) => [o.id, o] as const))('%s: WGSL agrees with the definition', async (_, optimizer) => {
  const step = 3;
  const params: AnyValues = { ...defaultsOf(optimizer.params), weightDecay: 0.01, momentum: 0.7 };
  const p = optimizer.uniforms(params);
  const x = new Float32Array(N * 4);
  const y = new Float32Array(N * 4);
  const lr = Math.fround(0.03);
  const [factor, c1, c2] = optimizer.rates(step, params);
  for (let k = 0; k < N; k++) {
    x.set([draw(4, k, -1, 1), draw(5, k, -1, 1), draw(6, k, -0.5, 0.5), draw(7, k, 0.01, 1)], 4 * k);
    y.set([factor * lr, c1, c2, 0], 4 * k);
  }
  const call = 'optimize(x[k].x, x[k].y, x[k].z, x[k].w, y[k].x, y[k].y, y[k].z, p)';
  const column = (c: number): Float32Array => Float32Array.from({ length: N }, (_k, k) => x[4 * k + c]!);
  const [theta, gradient, m, v] = [column(0), column(1), column(2), column(3)];
  if (optimizer.direction) {
    const first = await runOnGpu(optimizer.direction, call, x, y, p);
    const length = Math.hypot(...theta.map((_k, k) => first[4 * k + 1]!));
    for (let k = 0; k < N; k++) {
      x.set([first[4 * k]!, NaN, first[4 * k + 1]!, first[4 * k + 2]!], 4 * k);
      y[4 * k]! /= length;
    }
  }
  const got = await runOnGpu(optimizer.wgsl, call, x, y, p);
  optimizer.step({ theta, gradient, m, v }, step, lr, params);
  for (let k = 0; k < N; k++) {
    for (const [at, want] of [theta[k]!, m[k]!, v[k]!].entries()) {
      const value = got[4 * k + at]!;
      // θ, m, v of size 1 with about ten roundings; c₂ = 0.003 in f32 carries 2e-8 relative
      if (!(Math.abs(value - want) <= 2e-6 + 2e-6 * Math.abs(want))) {
        throw new Error(`weight ${k}: output ${at} is ${value}, want ${want}`);
      }
    }
  }
});
