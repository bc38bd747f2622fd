import { thetaOf } from '../../src/contract/state.ts';
import type { Gpu } from '../../src/gpu/device.ts';
import { makeTasks } from '../../src/engine/plan.ts';
import type { Run } from '../../src/engine/run.ts';
import { settle, STORAGE } from '../ours/dense.ts';
import { labRun, updates, type Changes } from '../ours/runs.ts';
import type { Candidate } from '../stats.ts';
import type { Bench, Contender } from '../types.ts';
import { measure } from './measure.ts';

/** Key and door with GRPO. The policy stays near uniform, so that episodes keep their length. */
const BASE: Changes = {
  'advantage.method': 'grpo',
  'optimizer.learningRate': 1e-7,
  'rollout.groupSize': 8,
  'rollout.tasksPerBatch': 8,
};

/** Shaders that run on the CPU get no further than 16,384 in reasonable time. */
const sizes = (quick: boolean, large: boolean): readonly number[] =>
  quick ? [64, 512] : [64, 256, 1024, 4096, 16_384, ...(large ? [65_536] : [])];

/** Tasks × group size of a batch of `environments`. */
const batch = (environments: number): Changes =>
  environments <= 8192
    ? { 'rollout.tasksPerBatch': environments / 8 }
    : { 'rollout.tasksPerBatch': environments / 64, 'rollout.groupSize': 64 };

/** Rollouts alone: sample all episodes of a batch to their end, and wait. */
function rollouts(run: Run, gpu: Gpu | null): Contender {
  const small = gpu?.buffer('bench', 4, STORAGE);
  let u = 0;
  return {
    name: 'ours',
    async run(times) {
      for (let k = 0; k < times; k++) await run.backend.rollout(makeTasks(run.plan, u++, 'train'), 'train');
      if (gpu && small) await settle(gpu, small);
    },
    // a real update: its record says that episodes were played and that every number is finite
    async check() {
      const { envSteps } = await updates(run, 1);
      return Float32Array.of(envSteps / (run.plan.S * run.plan.B));
    },
    dispose() {
      if (gpu && small) gpu.free(small);
      run.dispose();
    },
  };
}

/** Whole updates of a config. */
async function training(gpu: Gpu | null, changes: Changes): Promise<Contender> {
  const run = await labRun(gpu, changes);
  const { check, dispose } = rollouts(run, null);
  return { name: 'ours', run: async (times) => void (await updates(run, times)), check, dispose };
}

/** A policy near uniform plays more than half of the 30 steps on average, and never more than all. */
const lengthError = (length: Float32Array): number => (length[0]! > 15 && length[0]! <= 30 ? 0 : 1);

/** Steps per second against environments, replicas and policy width, for rollouts alone and for whole updates. */
export async function scaling(bench: Bench): Promise<void> {
  const { options, gpu, device } = bench;
  const kinds = (['webgpu', 'cpu'] as const).filter(
    (k) => (k === 'cpu' || gpu) && options.backend !== (k === 'cpu' ? 'webgpu' : 'cpu'),
  );
  for (const kind of kinds) {
    const on = kind === 'webgpu' ? gpu : null;
    const large = kind === 'cpu' || !device.software;
    const put = (name: string, shape: string, steps: number, make: () => Promise<Contender>) =>
      measure(bench, {
        ...{ name: `${name} ${kind}`, shape, candidates: [{ name: 'ours', make }], error: lengthError, tolerance: 0 },
        numbers: (ms) => ({ 'steps/s': (steps * 1000) / ms }),
      });
    for (const B of sizes(options.quick, large)) {
      const changes = { ...BASE, ...batch(B) };
      await put('rollout', `${B} environments`, B * 30, async () => rollouts(await labRun(on, changes), on));
      await put('update', `${B} environments`, B * 30, () => training(on, changes));
    }
    for (const S of options.quick ? [1, 8] : [1, 2, 4, 8, 16, 32, 64]) {
      await put('update', `${S} replicas of 64 environments`, S * 64 * 30, () =>
        training(on, { ...BASE, 'run.seeds': S }),
      );
    }
    for (const hidden of options.quick ? [[32], [128]] : [[32], [64], [128], [256], [64, 64]]) {
      const shape = `64 environments, hidden ${hidden.join('-')}`;
      await put('update', shape, 64 * 30, () => training(on, { ...BASE, 'policy.mlp.hidden': hidden }));
    }
  }
  if (gpu && options.backend !== 'cpu') await replicas(bench, gpu);
}

/** One batch of replicas against the same seeds as single runs, all in flight at once: the same bits, one after the other. */
async function replicas(bench: Bench, gpu: Gpu): Promise<void> {
  const S = bench.options.quick ? 4 : 16;
  const flat = async (runs: readonly Run[]): Promise<Float32Array> => {
    for (const run of runs) await updates(run, 2);
    const states = await Promise.all(runs.map((run) => run.checkpoint()));
    return Float32Array.from(states.flatMap(({ state }) => Array.from(thetaOf(state))));
  };
  const contender = (name: string, runs: readonly Run[]): Contender => ({
    name,
    run: async (times) => void (await Promise.all(runs.map((run) => updates(run, times)))),
    check: () => flat(runs),
    dispose: () => runs.forEach((run) => run.dispose()),
  });
  const changes = { ...BASE, 'optimizer.learningRate': 1e-4 };
  const single = `${S} single runs`;
  const candidates: Candidate[] = [
    { name: 'ours', make: async () => contender('ours', [await labRun(gpu, { ...changes, 'run.seeds': S })]) },
    {
      ...{ name: single, isOurs: true },
      make: async () => {
        const runs: Run[] = [];
        for (let s = 0; s < S; s++) runs.push(await labRun(gpu, { ...changes, 'run.seed': 1 + s }));
        return contender(single, runs);
      },
    },
  ];
  let first: Float32Array | null = null;
  const error = (theta: Float32Array): number => {
    first ??= theta;
    return theta.length === first.length && theta.every((x, k) => x === first![k]) ? 0 : 1;
  };
  await measure(bench, {
    ...{ name: 'replicas webgpu', shape: `${S} replicas in one batch`, candidates, error, tolerance: 0 },
    note: () => 'equal bits after two updates',
  });
}
