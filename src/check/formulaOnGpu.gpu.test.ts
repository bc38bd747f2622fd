import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { configWith } from '../config/schema.ts';
import { defaultsOf } from '../core/settings.ts';
import { creditOnGpu } from '../engine/gpu/creditOnGpu.ts';
import { testDevice } from '../gpu/testDevice.ts';
import { arbitraryBatch } from '../slots/advantage/arbitraryBatch.ts';
import { arbitraryFormula } from '../slots/advantage/formula/arbitraryFormula.ts';
import { formulaOf, library } from '../slots/advantage/formula/library.ts';
import { estimators } from '../slots/methods.ts';
import { openSmall, trainAlike } from './sideBySide.ts';

const gpu = await testDevice();
await prepareTask(configWith({ 'advantage.method': 'formula' }));
const formula = estimators.find((e) => e.id === 'formula')!;

/** Credit, parts and targets of a text on both paths. */
async function alike(text: string, seeds: readonly number[]): Promise<void> {
  const params = { text };
  for (const seed of seeds) {
    const [batch] = fc.sample(arbitraryBatch, { seed, numRuns: 1 });
    const want = formula.run(batch!, params);
    const got = await creditOnGpu(gpu, batch!, formula, params);
    near(text, got.A, want.A);
    expect(Object.keys(got.parts ?? {})).toEqual(Object.keys(want.parts ?? {}));
    for (const [name, part] of Object.entries(want.parts ?? {})) near(`${name} of ${text}`, got.parts![name]!, part);
    if (want.target) near(`target of ${text}`, got.target!, want.target);
  }
}

/** Spreads are found in f32 in another order: some units of the sixth digit of what is divided by them. */
function near(text: string, got: Float32Array, want: Float32Array): void {
  want.forEach((x, k) => {
    if (!(Math.abs(got[k]! - x) <= 1e-4 * Math.max(1, Math.abs(x))))
      throw new Error(`${text} at ${k}: ${got[k]}, not ${x}`);
  });
}

test('what the library says of the estimators gives the same credit as kernels', async () => {
  const texts = Object.keys(library).flatMap((id) => {
    const { params } = estimators.find((e) => e.id === id)!;
    return formulaOf(id, defaultsOf(params)) ?? [];
  });
  expect(texts.length).toBeGreaterThan(15);
  for (const [k, text] of texts.entries()) await alike(text, [k + 1, k + 101]);
});

test('formulas drawn at random give the same credit as kernels', async () => {
  const drawn = fc.sample(arbitraryFormula, { seed: 5, numRuns: 40 });
  for (const [k, { text }] of drawn.entries()) await alike(text, [k + 1]);
});

test('a run by a formula plays the same actions on both paths: recorded, and with a column that is read back', async () => {
  const texts = [
    'let ω = 2 in 0…4\npart episode = normalize(outcome, task)\npart new = ω × where(reward > 0, 1, normalizeSets(returnsToGo(reward, 0.9), sets(state)))',
    'normalize(outcome, task) + 0.1 × (novel − mean(novel, batch))',
    'normalize(gae(0.9, 0.8, zero), batch)',
  ];
  for (const text of texts) {
    const changes = { 'advantage.method': 'formula', 'advantage.formula.text': text };
    const [onGpu, onCpu] = [await openSmall(changes, gpu), await openSmall(changes)];
    await trainAlike(onGpu, onCpu, 3, ['entropy', 'gradNorm', 'policyLoss']);
    onGpu.dispose();
  }
});
