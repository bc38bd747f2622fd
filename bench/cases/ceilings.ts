import { CommandList } from '../../src/gpu/recorder.ts';
import { readFloats, recorded, settle, storage, submitTimes } from '../ours/dense.ts';
import copyWgsl from '../ours/copy.wgsl?raw';
import fmaWgsl from '../ours/fma.wgsl?raw';
import type { Bench, Contender } from '../types.ts';
import { measure } from './measure.ts';

const FMA_PER_TURN = 4 * 4 * 8;
const [A, B] = [0.5, 1];

/** What this device can do at most: bytes copied and multiply-adds done in a second. Other rows are read against these. */
export async function ceilings(bench: Bench): Promise<void> {
  const { gpu, options, device } = bench;
  if (!gpu || options.backend === 'cpu') return;
  const owned: GPUBuffer[] = [];
  const free = (): void => {
    for (const buffer of owned.splice(0)) gpu.free(buffer);
  };
  const contender = (list: CommandList, out: GPUBuffer): Contender => ({
    name: 'ours',
    async run(times) {
      submitTimes(gpu, list, times);
      await settle(gpu, out);
    },
    async check() {
      submitTimes(gpu, list, 1);
      return readFloats(gpu, out, 256);
    },
    dispose: free,
  });
  const count = device.software ? 1 << 20 : 1 << 23;
  const copy = async (): Promise<Contender> => {
    const [x, y] = [storage(gpu, owned, new Float32Array(4 * count).fill(2)), storage(gpu, owned, 4 * count)];
    const list = new CommandList(gpu, 'copy', owned);
    await recorded(gpu, () =>
      list.add({ id: 'copy', wgsl: copyWgsl }, { x, y }, { count }, [Math.ceil(count / 256), 1, 1]),
    );
    return contender(list, y);
  };
  const copied = await measure(bench, {
    ...{
      name: 'ceiling: copy',
      shape: `${(16 * count) >> 20} MiB to another buffer`,
      candidates: [{ name: 'ours', make: copy }],
    },
    ...{ error: (y) => (y.every((v) => v === 3) ? 0 : 1), tolerance: 0 },
    numbers: (ms) => ({ 'GB/s': (32 * count) / ms / 1e6 }),
  });
  const groups = device.software ? 16 : 4096;
  const turns = device.software ? 64 : 512;
  const fma = async (): Promise<Contender> => {
    const y = storage(gpu, owned, groups * 256);
    const list = new CommandList(gpu, 'fma', owned);
    await recorded(gpu, () => list.add({ id: 'fma', wgsl: fmaWgsl }, { y }, { turns, a: A, b: B }, [groups, 1, 1]));
    return contender(list, y);
  };
  // x ← x/2 + 1 ends at 2: sixteen chains of 2
  const flops = 2 * FMA_PER_TURN * turns * groups * 256;
  const fused = await measure(bench, {
    ...{
      name: 'ceiling: multiply-add',
      shape: `${groups * 256} invocations, ${turns} turns`,
      candidates: [{ name: 'ours', make: fma }],
    },
    ...{ error: (y) => (y.every((v) => Math.abs(v - 32) < 1e-4) ? 0 : 1), tolerance: 0 },
    numbers: (ms) => ({ 'GFLOP/s': flops / ms / 1e6 }),
  });
  bench.ceilings.bytes = copied?.numbers['GB/s'] ?? 0;
  bench.ceilings.flops = fused?.numbers['GFLOP/s'] ?? 0;
}
