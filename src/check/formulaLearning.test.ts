import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { mean } from '../core/stats.ts';
import { sampleRun, train } from '../engine/sampleRun.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';

const task = presetById('beat-grpo')!;
await prepareTask(presetConfig(task));

const SEEDS = 4;
const UPDATES = 50;
/** Mean success over the updates, of each seed. */
async function successBy(text: string): Promise<number[]> {
  const changes = { 'run.seeds': SEEDS, 'run.backend': 'cpu', 'analysis.evalEvery': 0, 'advantage.formula.text': text };
  const run = await sampleRun({ ...task.changes, ...changes });
  const records = await train(run, UPDATES);
  return Array.from({ length: SEEDS }, (_, s) =>
    mean(records.map(({ metrics }) => metrics[s * METRICS + metricIndex.success]!)),
  );
}

test('the rule of the lesson beats GRPO on its task with every seed, by far', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/credit-formulas.md'), 'utf8');
  const rule = page.split('A rule that beats both:')[1]!.split('```')[1]!.trim();
  const grpo = task.changes['advantage.formula.text'] as string;
  const [base, own] = [await successBy(grpo), await successBy(rule)];
  expect(grpo).toBe('normalize(outcome, task)');
  base.forEach((success, s) => expect(own[s]! - success, `seed ${s + 1}`).toBeGreaterThan(0.3));
});
