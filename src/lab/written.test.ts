import { expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { createRun } from '../engine/run.ts';
import { wordUnits, writtenView } from './written.ts';

test.each(['maze-written', 'maze-free-words'])('%s: words of a step add up to the step', async (preset) => {
  const changes = {
    'run.backend': 'cpu',
    'rollout.tasksPerBatch': 1,
    'rollout.groupSize': 4,
    'analysis.evalEvery': 0,
    'policy.cloneEpisodes': 0,
    'objective.entropyCoef': 0.1,
  };
  const run = must(await createRun(configWith(changes, presetConfig(presetById(preset)!))));
  await run.submit();
  const view = await run.backend.view(0);
  const written = writtenView(run.plan, view)!;
  const { batch } = view;
  const masked = preset === 'maze-written';
  let commands = 0;
  for (let i = 0; i < batch.B; i++) {
    for (let t = 0; t < batch.length[i]!; t++) {
      const k = i * batch.T + t;
      const { words, decided } = written.commands[written.command[k]!]!;
      const units = decided.filter(Boolean).length;
      let logp = 0;
      let entropy = 0;
      let delta = 0;
      for (let u = 0; u < written.decisions; u++) {
        logp += written.logp[k * written.decisions + u]!;
        entropy += written.entropy[k * written.decisions + u]!;
        delta += view.written!.delta[k * written.decisions + u]!;
        if (u >= units) expect(written.logp[k * written.decisions + u]).toBe(0);
      }
      expect(logp).toBeCloseTo(batch.logp[k]!, 5);
      expect(entropy).toBeCloseTo(batch.entropy[k]!, 5);
      expect(delta).toBeCloseTo(view.delta[k]!, 5);
      const name = run.plan.actionNames[batch.action[k]!];
      // a command is its words and the stop; anything else is no action
      if (name === undefined) expect(masked).toBe(false);
      else {
        expect(words.join(' ')).toBe(`${name} <stop>`);
        commands++;
      }
      if (!masked) expect(decided.every(Boolean)).toBe(true);
    }
  }
  expect(commands > 0).toBe(masked);
  // a new policy is nearly uniform, and nothing is above the line of a free choice
  const at = (id: MetricId): number => run.series.at(0, 0, metricIndex[id]);
  expect(at('entropyNormalised')).toBeGreaterThan(0.9);
  expect(at('entropyNormalised')).toBeLessThanOrEqual(1);
  expect(at('entropyMost')).toBeGreaterThan(at('entropy'));
  expect(at('entropy') / at('entropyMost')).toBeCloseTo(at('entropyNormalised'), 1);
  const all = Array.from({ length: batch.B }, (_, i) => i);
  const words = wordUnits(run.plan, view, written, all)!;
  expect(words.delta.some((d) => Math.abs(d) > 1e-5)).toBe(true);
  expect(words.count[0]).toBe(written.commands[written.command[0]!]!.decided.filter(Boolean).length);
  expect(wordUnits({ ...run.plan, ratioLevel: 'step' }, view, written, all)).toBeNull();
});
