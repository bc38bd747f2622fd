import type { Gpu } from '../../gpu/device.ts';
import { CommandList, readBack, whole } from '../../gpu/recorder.ts';
import { NO_VALUE } from '../../gpu/critic.ts';
import { LIVE_WORDS } from '../../gpu/live.ts';
import { coefficientsWith } from '../../gpu/shaders/kernels.ts';
import type { AnyValues } from '../../core/settings.ts';
import { compare, type CheckEntry, type Golden, type Tolerance } from '../../methods/conformance/check.ts';
import type { ObjectiveCase } from '../../methods/conformance.ts';
import { unitsOf } from '../../methods/conformance/units.ts';
import { objectives } from '../../methods/registry.ts';
import type { Aggregate } from '../plan.ts';

type Params = { readonly [name: string]: number };
type Form = { readonly id: string; readonly mode: Aggregate; params(p: Params): AnyValues };

const ppo = (mode: Aggregate): Form => ({
  id: 'ppoClip',
  mode,
  params: () => ({ epsLow: 0.2, epsHigh: 0.2, dual: false, dualC: 3 }),
});
const clip = (dual: boolean): Form => ({
  id: 'ppoClip',
  mode: 'unitMean',
  params: ({ epsLow, epsHigh, dualC }) => ({ epsLow: epsLow!, epsHigh: epsHigh!, dual, dualC: dualC! }),
});

/** Golden keys whose objective is linked into the coefficients kernel. */
const forms: Readonly<Record<string, Form>> = {
  ppo_unitMean: ppo('unitMean'),
  ppo_seqMeanUnitMean: ppo('seqMeanUnitMean'),
  ppo_seqMeanUnitSum: ppo('seqMeanUnitSum'),
  ppo_constant: ppo('constant'),
  reinforce: { id: 'reinforce', mode: 'unitMean', params: () => ({}) },
  clipHigher: clip(false),
  dualClip: clip(true),
  aepo: {
    id: 'aepo',
    mode: 'unitMean',
    params: ({ epsLow, epsHigh, dualC }) => ({ epsLow: epsLow!, epsHigh: epsHigh!, dualC: dualC! }),
  },
  cispo: { id: 'cispo', mode: 'unitMean', params: ({ epsLow, epsHigh }) => ({ epsLow: epsLow!, epsHigh: epsHigh! }) },
  cispoUpper: { id: 'cispo', mode: 'unitMean', params: ({ cispoHigh }) => ({ epsLow: 1, epsHigh: cispoHigh! }) },
};

type Case = Extract<ObjectiveCase, { kind: 'objective' }>;

/** Loss, gradient by the logits and its norm from the kernel; real units are moved to the front of their trajectory. */
async function onGpu(gpu: Gpu, c: Case, form: Form) {
  const units = unitsOf(c.inputs);
  const { B, L, actions, mask, legal, action, logits, advantage } = c.inputs;
  const N = B * L;
  const place = new Int32Array(N).fill(-1);
  const count = new Uint32Array(B);
  for (let u = 0; u < N; u++) if (mask[u] !== 0) place[u] = Math.floor(u / L) * L + count[Math.floor(u / L)]!++;
  const total = count.reduce((a, b) => a + b, 0);
  const active = count.filter((n) => n > 0).length;
  const out = new Float32Array(N * actions);
  const choice = new Uint32Array(2 * N);
  const sampled = new Float32Array(3 * N);
  const credit = new Float32Array(2 * N);
  for (let u = 0; u < N; u++) {
    const to = place[u]!;
    if (to < 0) continue;
    for (let b = 0; b < actions; b++) {
      out[to * actions + b] = logits[u * actions + b]!;
      if (legal[u * actions + b] !== 0) choice[to]! |= 1 << b;
    }
    choice[N + to] = action[u]!;
    sampled[to] = units.logpOld[u]!;
    credit[to] = advantage[u]!;
  }
  const weight = {
    unitMean: () => 1 / total,
    seqMeanUnitMean: (n: number) => 1 / (active * n),
    seqMeanUnitSum: () => 1 / active,
    constant: () => 1 / N,
  }[form.mode];
  const plan = Float32Array.from({ length: 2 * B }, (_, k) =>
    k % 2 === 0 ? (count[k >> 1]! > 0 ? weight(count[k >> 1]!) : 0) : count[k >> 1]!,
  );
  const objective = objectives.find((o) => o.id === form.id)!;
  const [p0, p1, p2, p3] = objective.uniforms(form.params(c.params) as never);
  const values = {
    out,
    ref_: out,
    choice,
    sampled,
    credit,
    plan,
    live: new Float32Array(LIVE_WORDS),
    dOut: new Float32Array(N * actions),
    stats: new Float32Array(N * 6),
  };
  const made: Record<string, GPUBuffer> = {};
  const list = new CommandList(gpu, form.id);
  try {
    for (const [name, array] of Object.entries(values)) {
      made[name] = gpu.buffer(name, array.length, 0x80 | 0x40 | 0x08 | 0x04);
      gpu.device.queue.writeBuffer(made[name], 0, array as Float32Array<ArrayBuffer>);
    }
    const dims = {
      S: 1,
      B,
      T: L,
      actions,
      n: actions,
      section: N,
      floatSection: N,
      inverse: 1,
      ...NO_VALUE,
      p0,
      p1,
      p2,
      p3,
    };
    await list.add(coefficientsWith(objective.wgsl), made, dims, [Math.ceil(N / 64), 1, 1]);
    const encoder = gpu.device.createCommandEncoder({ label: form.id });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    const dOut = new Float32Array(await readBack(gpu, whole(made['dOut']!)));
    const stats = new Float32Array(await readBack(gpu, whole(made['stats']!)));
    let loss = 0;
    let squares = 0;
    for (let k = 0; k < N; k++) loss += stats[6 * k]!;
    const gradLogits = new Float32Array(N * actions);
    for (let u = 0; u < N; u++) {
      for (let b = 0; b < actions && place[u]! >= 0; b++) {
        gradLogits[u * actions + b] = dOut[place[u]! * actions + b]!;
        squares += gradLogits[u * actions + b]! * gradLogits[u * actions + b]!;
      }
    }
    return { loss, gradLogits, gradNorm: Math.sqrt(squares) };
  } finally {
    list.dispose();
    for (const buffer of Object.values(made)) gpu.free(buffer);
  }
}

/** Checks the WGSL of every objective a golden case has values for; keys end in "(WGSL)". */
export async function checkObjectivesOnGpu(gpu: Gpu, c: ObjectiveCase, tolerance: Tolerance): Promise<CheckEntry[]> {
  if (c.kind !== 'objective') return [];
  const entries: CheckEntry[] = [];
  for (const [key, form] of Object.entries(forms)) {
    const expected = c.expected[key] as { readonly [part: string]: Golden } | undefined;
    if (expected === undefined) continue;
    const got = await onGpu(gpu, c, form);
    const wanted = Object.fromEntries(Object.entries(expected).filter(([part]) => Object.hasOwn(got, part)));
    entries.push({ key: `${key} (WGSL)`, built: true, ...compare(got, wanted, tolerance) });
  }
  return entries;
}
