import { expect } from 'vitest';
import type { Gpu } from '../gpu/device.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { vcpo } from '../slots/objective/vcpo.ts';
import type { Objective } from '../slots/types.ts';
import type { MakeBackend } from '../engine/backend.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import type { Plan } from '../engine/plan.ts';
import { Run } from '../engine/run.ts';
import { sampleRun, train } from '../engine/sampleRun.ts';
import { gpuBackendOn } from '../engine/gpu/gpuBackend.ts';

/** For tests that train the same small, slippery experiment on both paths. */
const SMALL = {
  'task.grid.level': 'frozenLake4',
  'task.grid.maxSteps': 8,
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 5,
  'run.seeds': 2,
  'policy.mlp.hidden': [13],
  'analysis.evalEvery': 2,
  'objective.epochs': 2,
  'optimizer.learningRate': 0.01,
};

/** A run on the given device, or on the CPU. */
export async function openSmall(changes: Record<string, unknown>, on?: Gpu): Promise<Run> {
  return sampleRun({ ...SMALL, ...changes }, on && gpuBackendOn(on));
}

/** Trains both; what happened must be equal, the named metrics up to rounding. The records of the CPU. */
export async function trainAlike(onGpu: Run, onCpu: Run, updates: number, ids: readonly MetricId[]) {
  const a = await train(onGpu, updates);
  const b = await train(onCpu, updates);
  for (let u = 0; u < updates; u++) {
    expect([...a[u]!.hash], `actions of update ${u}`).toEqual([...b[u]!.hash]);
    for (const id of ids) {
      for (let s = 0; s < 2; s++) {
        const got = a[u]!.metrics[s * METRICS + metricIndex[id]]!;
        const want = b[u]!.metrics[s * METRICS + metricIndex[id]]!;
        if (Number.isNaN(want)) expect(got, id).toBeNaN();
        else
          expect(Math.abs(got - want), `${id} of update ${u}: ${got} against ${want}`).toBeLessThanOrEqual(
            2e-5 + 1e-3 * Math.abs(want),
          );
      }
    }
  }
  return b;
}

/**
 * Trains an objective with a survey on both paths, also where a device could make its marks by itself. What it does must be
 * equal, to the mark of every unit; the marks of each look, and the largest share of units that a clip held.
 */
export async function marksAlike(
  changes: Record<string, unknown>,
  gpu: Gpu,
  updates: number,
  ids: readonly MetricId[],
): Promise<{ marks: number[][]; clipped: number }> {
  const { plan } = await openSmall(changes);
  const { marks: _marks, ...objective } = plan.objective;
  const watched = async (make: MakeBackend): Promise<{ run: Run; marks: number[][] }> => {
    const marks: number[][] = [];
    const survey: Objective['survey'] = (set, params, mark) => {
      const control = plan.objective.survey!(set, params, mark);
      marks.push([...mark]);
      return control;
    };
    return { run: await Run.create({ ...plan, objective: { ...objective, survey } }, make), marks };
  };
  const [mine, theirs] = [await watched(gpuBackendOn(gpu)), await watched(makeCpuBackend)];
  expect(mine.run.backend.kind).toBe('webgpu');
  const records = await trainAlike(mine.run, theirs.run, updates, ids);
  mine.run.dispose();
  // the GPU asks replica by replica in every look, the CPU look by look in every replica
  const looks = plan.epochs * plan.minibatches + 1;
  const of = (u: number, s: number, k: number, onGpu: boolean): number[] =>
    onGpu ? mine.marks[(u * looks + k) * plan.S + s]! : theirs.marks[(u * plan.S + s) * looks + k]!;
  for (let u = 0; u < updates; u++)
    for (let s = 0; s < plan.S; s++)
      for (let k = 0; k < looks; k++) expect(of(u, s, k, true), `update ${u}, look ${k}`).toEqual(of(u, s, k, false));
  const clipped = Math.max(...records.map(({ metrics }) => metrics[metricIndex.clipFraction]!));
  return { marks: theirs.marks, clipped };
}

/** Lengths of scores that VCPO is told in every look of one update, which are 2 epochs of 2 minibatches for 2 replicas. */
async function scoreLengths(plan: Plan, make: MakeBackend): Promise<number[][]> {
  const norms: number[][] = [];
  const survey: Objective['survey'] = (set, params, mark) => {
    norms.push([...set.scoreNorms([...new Set(set.trajectory)])]);
    return vcpo.survey!(set, params as never, mark);
  };
  const { marks: _marks, ...objective } = vcpo;
  const run = await Run.create({ ...plan, objective: { ...objective, survey } as Objective }, make);
  await train(run, 1);
  run.dispose();
  return norms;
}

/** They are the same on both paths, in every look at every replica. */
export async function scoreLengthsAlike(plan: Plan, gpu: Gpu): Promise<void> {
  const [mine, theirs] = [await scoreLengths(plan, gpuBackendOn(gpu)), await scoreLengths(plan, makeCpuBackend)];
  // 2 epochs of 2 minibatches and the end; the CPU takes one of 2 replicas after the other
  expect(mine.map((norms) => norms.length)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 6, 6]);
  for (const [k, got] of mine.entries()) {
    const want = theirs[5 * (k % 2) + Math.floor(k / 2)]!;
    expect(got.length).toBe(want.length);
    want.forEach((x, i) => expect(Math.abs(got[i]! - x), `${got[i]} against ${x}`).toBeLessThan(1e-3 * x));
  }
}
