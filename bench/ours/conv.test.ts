import { expect, test } from 'vitest';
import { convProblem } from '../convProblem.ts';
import { distance } from '../stats.ts';
import { expectedConvStep, oursConvCpu } from './convCpu.ts';

test('the convolution step that benchmarks time is that of plain loops in both forms', async () => {
  const problem = convProblem(70, {
    ...{ features: 60, board: { planes: 3, height: 4, width: 5 }, layers: 2, channels: 6, skip: false, hidden: 7 },
    ...{ actions: 4, critic: false },
  });
  const expected = expectedConvStep(problem);
  for (const { make } of oursConvCpu(problem))
    expect(distance(await (await make()).check(), expected)).toBeLessThan(2e-5);
});
