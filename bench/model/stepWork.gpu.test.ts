import { expect, test } from 'vitest';
import { configWith } from '../../src/config/schema.ts';
import { thetaOf } from '../../src/contract/state.ts';
import { must } from '../../src/core/problem.ts';
import { RunBuffers } from '../../src/engine/gpu/buffers.ts';
import { rolloutList } from '../../src/engine/gpu/rolloutList.ts';
import { TaskUpload } from '../../src/engine/gpu/uploadTasks.ts';
import { makePlan, makeTasks } from '../../src/engine/plan.ts';
import { initialState } from '../../src/engine/state.ts';
import { Gpu } from '../../src/gpu/device.ts';
import { readBack, whole } from '../../src/gpu/recorder.ts';
import { testDevice } from '../../src/gpu/testDevice.ts';
import { recordingOf } from '../../src/networks/policy.ts';
import { ALONE, ANEW, chainOf, plus, SHARED, WORLD, type StepWork } from './stepWork.ts';
import { DRAW, tallied, TALLY } from './tally.ts';

const gpu = await testDevice();

/** The device with rollouts that count; `edit`: what else becomes of their text. */
function countingGpu(hasNetwork: boolean, edit: (code: string) => string): Gpu {
  const made = ({ code, ...rest }: GPUShaderModuleDescriptor): GPUShaderModule =>
    gpu.device.createShaderModule({
      ...rest,
      code: /fn look\(/.test(code) && /fn main\(/.test(code) ? tallied(edit(code), hasNetwork) : code,
    });
  const device = new Proxy(gpu.device, {
    get(of, name) {
      if (name === 'createShaderModule') return made;
      const value: unknown = Reflect.get(of, name);
      return typeof value === 'function' ? (value.bind(of) as unknown) : value;
    },
    set: (of, name, value) => Reflect.set(of, name, value),
  });
  return new Gpu(device, 'counting', true);
}

type Asked = { hidden: number; isShared: boolean; hasNetwork: boolean; edit?: (code: string) => string };

/** Means over the steps of a batch of key and door, weights untrained; one flag of a replica for each of them. */
async function counted({ hidden, isShared, hasNetwork, edit = (code) => code }: Asked) {
  const plan = must(
    makePlan(
      configWith({
        ...{ 'advantage.method': 'grpo', 'run.seeds': TALLY.length, 'policy.mlp.hidden': [hidden] },
        ...{ 'rollout.tasksPerBatch': 16, 'rollout.groupSize': 8, 'task.grid.maxSteps': 30 },
      }),
    ),
  );
  const own = countingGpu(hasNetwork, edit);
  const level = plan.env.gpu!.packLevel(plan.level(plan.firstLevelSeed));
  const b = new RunBuffers(own, plan, await recordingOf(plan.policy), level.length);
  try {
    gpu.device.queue.writeBuffer(b.sampledTheta, 0, thetaOf(initialState(plan)));
    new TaskUpload(own, plan, b).put(makeTasks(plan, 3, 'train'), 18);
    const tuned = { tiled: isShared, fusedUpTo: Infinity };
    const list = await rolloutList(own, plan, b, { isFused: true, tuned });
    list.pace.steps.power = 16;
    list.submit(gpu.device, 'test');
    const [storage, near, operations, steps] = new Uint32Array(await readBack(gpu, whole(b.flags))) as unknown as [
      ...[number, number, number, number],
    ];
    const of = (n: number): number => n / steps;
    return { storage: of(storage), work: { reads: of(storage + near), operations: of(operations) } };
  } finally {
    b.free();
  }
}

/** An adapter rounds exp and log in its own way, so that some episodes may differ. */
function expectNear(got: StepWork, want: StepWork): void {
  expect(Math.abs(got.reads / want.reads - 1), `reads: ${got.reads}`).toBeLessThan(0.03);
  expect(Math.abs(got.operations / want.operations - 1), `operations: ${got.operations}`).toBeLessThan(0.03);
}

test('what the model says of the world in a step is what its kernels do', async () => {
  const shared = await counted({ hidden: 64, isShared: true, hasNetwork: false });
  expectNear(shared.work, WORLD.shared);
  // but for what comes at the beginning of a dispatch
  expect(shared.storage).toBeLessThan(1);
  expectNear((await counted({ hidden: 8, isShared: false, hasNetwork: false })).work, WORLD.alone);
  const edit = (code: string): string => code.replace('envObserveNext(levelAt, at', 'envObserve(levelAt, at');
  const anew = await counted({ hidden: 64, isShared: true, hasNetwork: false, edit });
  expectNear(plus(anew.work, { reads: 0, operations: DRAW }), ANEW);
});

test.each([
  [8, false, 1],
  [64, false, 1],
  [64, true, 1],
  [256, true, 2],
])('so it is with the network: %i hidden units, shared: %s', async (hidden, isShared, turns) => {
  const [form, world] = isShared ? [SHARED, WORLD.shared] : [ALONE, WORLD.alone];
  const { work } = await counted({ hidden, isShared, hasNetwork: true });
  expectNear(work, plus(world, chainOf(form, hidden, turns)));
});
