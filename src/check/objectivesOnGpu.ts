import type { Aggregate } from '../core/aggregate.ts';
import type { Gpu } from '../gpu/device.ts';
import { CommandList, readBack, whole } from '../gpu/recorder.ts';
import { NO_VALUE } from '../gpu/critic.ts';
import { liveOfAll, type LiveNumbers } from '../gpu/live.ts';
import { coefficientsWith } from '../gpu/shaders/kernels.ts';
import { compare, type CheckEntry, type Golden, type Tolerance } from './conformance/check.ts';
import { objectiveCaseIssue, stackCaseIssue, type ObjectiveCase, type StackCase } from './conformance.ts';
import { objectiveKeyIssue } from './conformance/inputShapes.ts';
import { judge } from './conformance/judge.ts';
import { isRecord } from './conformance/shape.ts';
import { objectiveForms, type ObjectiveForm } from './conformance/objectiveForms.ts';
import { shareOfRows, stackForms, type StackForm } from './conformance/stackForms.ts';
import { stackLossKeyIssue, unitsOfStack } from './conformance/stackLosses.ts';
import { spread, unitsOf, weightsOf, type Units } from './conformance/units.ts';
import { KL_PENALTIES, type KlPenalty } from '../core/math/kl.ts';

type Case = Extract<ObjectiveCase, { kind: 'objective' }>;

/** What the kernel is given: the code of an objective with its settings, what each unit was sampled with, and marks. */
type Task = {
  readonly mode: Aggregate;
  readonly wgsl: string;
  readonly p: readonly [number, number, number, number];
  readonly A: ArrayLike<number>;
  readonly logpOld: ArrayLike<number>;
  readonly mark: ArrayLike<number> | null;
  readonly live: LiveNumbers;
};

function taskOf(units: Units, params: Case['params'], form: ObjectiveForm): Task {
  const { objective, mode } = form;
  const values = form.params(params);
  const set = form.set(units);
  const logpOld = new Float64Array(units.logp.length);
  set.real.forEach((u, k) => (logpOld[u] = units.logp[u]! - set.delta[k]!));
  const mark = objective.survey ? judge(units, objective, values, mode, set).mark : null;
  const A = spread(units, set.real, set.A);
  return { mode, wgsl: objective.wgsl, p: objective.uniforms(values), A, logpOld, mark, live: [0, 0, 0, 0] };
}

/** The kernel with a distribution term alone. */
const distribution = ({ logpOld, inputs }: Units, entropyCoef: number, klCoef: number, form: KlPenalty): Task => ({
  mode: 'unitMean',
  wgsl: 'fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f { return vec3f(0.0, 0.0, 0.0); }',
  p: [0, 0, 0, 0],
  A: inputs.advantage,
  logpOld,
  mark: null,
  live: [0, entropyCoef, klCoef, KL_PENALTIES.indexOf(form)],
});

const penalties: Readonly<Record<string, KlPenalty>> = {
  klK1: 'k1',
  klK2: 'k2',
  klK3: 'k3',
  klAbs: 'abs',
  klExact: 'exact',
  klExactForward: 'exactForward',
};

/** Loss, gradient by the logits with its norm, and mean KL; real units are moved to the front of their trajectory. */
async function onGpu(gpu: Gpu, units: Units, task: Task) {
  const { B, L, actions, mask, legal, action, logits, logitsRef } = units.inputs;
  const N = B * L;
  const place = new Int32Array(N).fill(-1);
  const count = new Uint32Array(B);
  for (let u = 0; u < N; u++) if (mask[u] !== 0) place[u] = Math.floor(u / L) * L + count[Math.floor(u / L)]!++;
  const out = new Float32Array(N * actions);
  const ref_ = new Float32Array(N * actions);
  const choice = new Uint32Array(2 * N);
  const sampled = new Float32Array(3 * N);
  const credit = new Float32Array((task.mark ? 3 : 2) * N);
  const plan = Float32Array.from({ length: 2 * B }, (_, k) => (k % 2 === 0 ? 0 : count[k >> 1]!));
  const w = weightsOf(units, task.mode);
  for (let u = 0; u < N; u++) {
    const to = place[u]!;
    if (to < 0) continue;
    for (let b = 0; b < actions; b++) {
      out[to * actions + b] = logits[u * actions + b]!;
      ref_[to * actions + b] = logitsRef[u * actions + b]!;
      if (legal[u * actions + b] !== 0) choice[to]! |= 1 << b;
    }
    choice[N + to] = action[u]!;
    sampled[to] = task.logpOld[u]!;
    credit[to] = task.A[u]!;
    if (task.mark) credit[2 * N + to] = task.mark[u]!;
    plan[2 * Math.floor(u / L)] = w[u]!;
  }
  const values = {
    out,
    ref_,
    choice,
    sampled,
    credit,
    plan,
    live: liveOfAll(task.live),
    dOut: new Float32Array(N * actions),
    stats: new Float32Array(N * 6),
  };
  const made: Record<string, GPUBuffer> = {};
  const list = new CommandList(gpu, 'objective');
  try {
    for (const [name, array] of Object.entries(values)) {
      made[name] = gpu.buffer(name, array.length, 0x80 | 0x40 | 0x08 | 0x04);
      gpu.device.queue.writeBuffer(made[name], 0, array as Float32Array<ArrayBuffer>);
    }
    const [p0, p1, p2, p3] = task.p;
    const dims = {
      S: 1,
      B,
      T: L,
      actions,
      n: actions,
      section: N,
      floatSection: N,
      marksAt: task.mark ? 2 * N : 0,
      creditAt: 0,
      mostRows: B * L,
      inverse: 1,
      ...NO_VALUE,
      p0,
      p1,
      p2,
      p3,
    };
    await list.add(coefficientsWith(task.wgsl), made, dims, [Math.ceil(N / 64), 1, 1]);
    const encoder = gpu.device.createCommandEncoder({ label: 'objective' });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    const dOut = new Float32Array(await readBack(gpu, whole(made['dOut']!)));
    const stats = new Float32Array(await readBack(gpu, whole(made['stats']!)));
    let loss = 0;
    let kl = 0;
    let squares = 0;
    const gradLogits = new Float32Array(N * actions);
    for (let u = 0; u < N; u++) {
      if (place[u]! < 0) continue;
      loss += stats[6 * place[u]!]!;
      kl += w[u]! * stats[6 * place[u]! + 2]!;
      for (let b = 0; b < actions; b++) {
        gradLogits[u * actions + b] = dOut[place[u]! * actions + b]!;
        squares += gradLogits[u * actions + b]! * gradLogits[u * actions + b]!;
      }
    }
    return { loss, kl, gradLogits, gradNorm: Math.sqrt(squares) };
  } finally {
    list.dispose();
    for (const buffer of Object.values(made)) gpu.free(buffer);
  }
}

/** ∂Loss/∂z_b = coef·(1[b = a] − π_b): what golden coefficients say about the gradient by the logits. */
function spreadOver({ inputs, now }: Units, coef: readonly number[]): number[] {
  const { actions, action } = inputs;
  return Array.from(now.p, (p, at) => {
    const u = Math.floor(at / actions);
    return coef[u] === 0 ? 0 : coef[u]! * ((at % actions === action[u] ? 1 : 0) - p);
  });
}

/** The kernel's masks of legal actions hold this many: there is no form for more, of any policy. */
const MOST_ACTIONS = 32;

/**
 * Checks the WGSL of every objective and distribution term that a golden case has values for; keys end in "(WGSL)". What
 * is wrong with a case or with its parameters is for the check of the definitions to say.
 */
export async function checkObjectivesOnGpu(gpu: Gpu, c: ObjectiveCase, tolerance: Tolerance): Promise<CheckEntry[]> {
  if (objectiveCaseIssue(c) !== null || c.kind !== 'objective') return [];
  if (c.inputs.actions > MOST_ACTIONS)
    return [
      { key: `objectives of more than ${MOST_ACTIONS} actions (WGSL)`, built: false, maxError: 0, passed: false },
    ];
  const units = unitsOf(c.inputs);
  const entries: CheckEntry[] = [];
  const check = async (key: string, taskFor: () => Task): Promise<void> => {
    const expected = c.expected[key];
    if (!isRecord(expected) || objectiveKeyIssue(key, c.params, c.inputs) !== null) return;
    const task = taskFor();
    const { loss, kl, ...gradient } = await onGpu(gpu, units, task);
    // the kernel's statistics hold the loss of the objective alone, and the exact KL whatever the form of the penalty
    const got = { ...gradient, ...(key === 'klExact' ? { value: kl } : task.live[2] > 0 ? {} : { loss }) };
    const coef = expected['coef'];
    const all: Readonly<Record<string, Golden>> = {
      ...(expected as Readonly<Record<string, Golden>>),
      ...(Array.isArray(coef) ? { gradLogits: spreadOver(units, coef as number[]) } : {}),
    };
    const wanted = Object.fromEntries(Object.entries(all).filter(([part]) => Object.hasOwn(got, part)));
    if (Object.keys(wanted).length === 0) return;
    entries.push({ key: `${key} (WGSL)`, built: true, ...compare(got, wanted, tolerance) });
  };
  for (const [key, form] of Object.entries(objectiveForms)) await check(key, () => taskOf(units, c.params, form));
  for (const [key, form] of Object.entries(penalties)) await check(key, () => distribution(units, 0, 1, form));
  // the kernel's term is a bonus, −β_H·H: with β_H = −1 the gradient is that of H
  await check('entropy', () => distribution(units, -1, 0, 'exact'));
  return entries;
}

/** Checks the WGSL of every objective that a case of kind `stackLoss` has values for; keys end in "(WGSL)". */
export async function checkStackLossOnGpu(gpu: Gpu, c: StackCase, tolerance: Tolerance): Promise<CheckEntry[]> {
  if (c.kind !== 'stackLoss' || stackCaseIssue(c) !== null || c.inputs.actions > MOST_ACTIONS) return [];
  const units = unitsOfStack(c.inputs);
  const entries: CheckEntry[] = [];
  for (const [key, form] of Object.entries<StackForm>(stackForms)) {
    const expected = c.expected[key];
    if (!isRecord(expected) || stackLossKeyIssue(key, c.params) !== null) continue;
    const { loss, gradLogits, gradNorm } = await onGpu(gpu, units, taskOf(units, c.params, form));
    const share = shareOfRows(units, form);
    const got = { loss: loss * share, gradLogits: gradLogits.map((g) => g * share), gradNorm: gradNorm * share };
    const wanted = {
      ...{ loss: expected['loss'], gradNorm: expected['gradNorm'] },
      gradLogits: spreadOver(units, expected['coef'] as number[]),
    } as { readonly [part: string]: Golden };
    entries.push({ key: `${key} (WGSL)`, built: true, ...compare(got, wanted, tolerance) });
  }
  return entries;
}
