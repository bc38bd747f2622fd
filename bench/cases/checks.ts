import { gpuBackendOn } from '../../src/engine/gpu/gpuBackend.ts';
import { check } from '../../src/gpu/conformance.ts';
import type { Gpu } from '../../src/gpu/device.ts';
import { loadCases } from '../../src/check/device/kernelCases.ts';
import { COMPARED, playBoth, SEEDS, UPDATES } from '../../src/check/device/shortRuns.ts';
import { rowOf, timingOf } from '../stats.ts';
import type { Bench } from '../types.ts';

/** Null where the device plays what the CPU path plays. */
async function differs(gpu: Gpu, id: string): Promise<string | null> {
  try {
    return (await playBoth(id, gpuBackendOn(gpu))).wrong;
  } catch (error) {
    return `${id}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
}

/** Is this device right? Every kernel against its definition, and episodes of presets against those of the CPU path. */
export async function checks(bench: Bench): Promise<void> {
  const { gpu, options } = bench;
  if (!gpu || options.backend === 'cpu') return;
  const put = async (name: string, shape: string, of: readonly (() => Promise<string | null>)[]): Promise<void> => {
    if (options.only !== null && !`${name} ${shape}`.includes(options.only)) return;
    const from = performance.now();
    let wrong = 0;
    for (const one of of) {
      const sentence = await one();
      if (sentence === null) continue;
      wrong++;
      bench.failed(sentence);
    }
    const row = rowOf(name, shape, { ours: timingOf([performance.now() - from], 1) });
    bench.row({ ...row, note: wrong === 0 ? 'all agree' : `${wrong} of ${of.length} do not agree` });
  };
  const cases = (await loadCases()).flatMap((file) => file.cases);
  await put(
    'check kernels',
    `${cases.length} cases against their definitions`,
    cases.map((c) => () => check(gpu, c)),
  );
  await put(
    'check presets',
    `${COMPARED.length} of all families, ${UPDATES} updates of ${SEEDS} seeds: same episodes as on the CPU path`,
    COMPARED.map((id) => () => differs(gpu, id)),
  );
}
