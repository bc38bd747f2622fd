import type { Gpu } from '../../src/gpu/device.ts';
import { makeTasks } from '../../src/engine/plan.ts';
import { settle, STORAGE } from '../ours/dense.ts';
import { heaviest, labRun, updates, type Changes } from '../ours/runs.ts';
import { race, rowOf } from '../stats.ts';
import type { Bench, Contender } from '../types.ts';
import { effortOf, wanted } from './measure.ts';

type Size = {
  readonly P: number;
  readonly G: number;
  readonly T: number;
  readonly level: Changes;
  readonly text: string;
};

const keyDoor = (P: number, G: number, T: number): Size => ({
  P,
  G,
  T,
  level: {},
  text: `key and door, B ${P * G}, G ${G}, T ${T}`,
});

/** The sizes of a table: one thing grows at a time. */
function sizesOf(quick: boolean, large: boolean): Size[] {
  const room = (n: number): Size => {
    // steps cost something, so that there is credit where nobody finds the goal
    const level = { 'task.grid.level': 'empty', 'task.grid.n': n, 'reward.grid.step': -10 };
    return { P: 8, G: 16, T: 64, level, text: `empty room ${n}×${n}, B 128, G 16, T 64` };
  };
  if (quick) return [keyDoor(8, 8, 60)];
  return [
    ...[32, 64, 128].map((T) => keyDoor(16, 8, T)),
    ...[4, 16, 32].map((G) => keyDoor(128 / G, G, 64)),
    ...[4, 8, 16].map(room),
    ...(large ? [256, 512].map((T) => keyDoor(64, 8, T)) : []),
  ];
}

/** The credit of the batch that the last rollout left, computed again and again. */
async function creditOf(
  gpu: Gpu | null,
  changes: Changes,
): Promise<{ credit: Contender; update: Contender; kernels(): Promise<string>; free(): void }> {
  const run = await labRun(gpu, changes);
  const small = gpu?.buffer('bench', 4, STORAGE);
  const wait = async (): Promise<void> => {
    if (gpu && small) await settle(gpu, small);
  };
  const check = async (): Promise<Float32Array> => {
    await updates(run, 1);
    return (await run.backend.view(0)).A.slice();
  };
  await check();
  // credit may read what only a rollout leaves behind, such as values of last states
  await run.backend.rollout(makeTasks(run.plan, 0, 'train'), 'train');
  const again = async (): Promise<Float32Array> => {
    await run.backend.credit();
    return (await run.backend.view(0)).A.slice();
  };
  const before = await again();
  if (!before.some((x) => x !== 0) || !before.every(Number.isFinite)) throw new Error('there is no credit to compute');
  const after = await again();
  if (!after.every((x, k) => x === before[k])) throw new Error('the same batch got another credit');
  const credit: Contender = {
    ...{ name: 'ours credit', check, dispose: () => undefined },
    async run(times) {
      for (let k = 0; k < times; k++) await run.backend.credit();
      await wait();
    },
  };
  const update: Contender = {
    ...{ name: 'ours update', check, dispose: () => undefined },
    run: async (times) => void (await updates(run, times)),
  };
  return {
    ...{ credit, update },
    kernels: () => (gpu ? heaviest(run, gpu, 'credit') : Promise.resolve('')),
    free() {
      if (gpu && small) gpu.free(small);
      run.dispose();
    },
  };
}

/** What credit costs: alone, and as a share of a whole update, by estimator and by the size of the batch. */
export async function creditCost(bench: Bench): Promise<void> {
  const { options, gpu, device } = bench;
  const methods = options.quick ? ['grpo', 'gigpo'] : ['grpo', 'gigpo', 'gae', 'hgpo', 'graphGpo', 'rtmc'];
  for (const kind of ['webgpu', 'cpu'] as const) {
    if ((kind === 'webgpu' && !gpu) || options.backend === (kind === 'cpu' ? 'webgpu' : 'cpu')) continue;
    const on = kind === 'webgpu' ? gpu : null;
    const large = !device.software || kind === 'cpu';
    const name = `credit ${kind}`;
    const put = async (method: string, { P, G, T, level, text }: Size): Promise<void> => {
      const shape = `${method}, ${text}`;
      if (!wanted(bench, name, shape)) return;
      const changes = {
        ...{ 'advantage.method': method, 'rollout.tasksPerBatch': P, 'rollout.groupSize': G, 'task.grid.maxSteps': T },
        ...{ 'optimizer.learningRate': 1e-7, ...level },
      };
      try {
        const { credit, update, kernels, free } = await creditOf(on, changes);
        const timings = await race([credit, update], effortOf(bench));
        // where it goes, at the size that counts
        const note = P * G * T >= 65_536 && method === 'gigpo' ? await kernels() : '';
        free();
        const [alone, whole] = [timings['ours credit']!, timings['ours update']!];
        const row = rowOf(name, shape, timings, { 'share of update, %': (100 * alone.ms) / whole.ms }, note);
        bench.row({ ...row, oursMs: alone.ms });
      } catch (error) {
        bench.failed(`${name}, ${shape}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    for (const method of methods) await put(method, options.quick ? keyDoor(8, 8, 30) : keyDoor(64, 8, 128));
    for (const size of sizesOf(options.quick, large)) await put('gigpo', size);
  }
}
