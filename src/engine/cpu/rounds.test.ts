import { expect, test } from 'vitest';
import { presetById } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { originOf } from '../../contract/rows.ts';
import { must } from '../../core/problem.ts';
import { makePlan } from '../plan.ts';
import { Run } from '../run.ts';
import { weightsAt } from '../versions.ts';
import { makeCpuBackend } from './cpuBackend.ts';
import { makeCpuPolicy } from './policy.ts';

test('rows of a further round are played by the version of their own task, not of the row at their place', async () => {
  const mixed = { 'rollout.staleness': 3, 'rollout.ages': 'mixed', 'objective.entropyCoef': 0.5, 'run.seeds': 1 };
  const plan = must(makePlan(configWith({ ...presetById('rooms-second-tries')!.changes, ...mixed, 'run.updates': 8 })));
  const run = await Run.create(plan, makeCpuBackend);
  const policy = makeCpuPolicy(plan);
  const { env, T, actions, obsWords } = plan;
  let late = 0;
  for (let u = 0; u < 8; u++) {
    await run.submit();
    const view = await run.backend.view(0);
    for (let i = 0; i < plan.B; i++) {
      if (view.batch.origin![i] !== originOf('late')) continue;
      const level = plan.level(view.levelSeeds[i]!);
      const obs = new Uint32Array(obsWords);
      env.observe(level, view.state, i * (T + 1) * env.words, obs, 0);
      const legal = Uint32Array.of(env.legal(level, view.state, i * (T + 1) * env.words));
      const p = new Float32Array(actions);
      policy.probsOf(weightsAt(view, i, 0), obs, legal, 1, p);
      expect(view.probs.subarray(i * T * actions, (i * T + 1) * actions)).toEqual(p);
      late++;
    }
  }
  expect(late).toBeGreaterThan(0);
});
