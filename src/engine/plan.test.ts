import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRules } from '../config/rules.ts';
import { configWith, defaultConfig, fields, parseConfig, setValue } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makePlan, makeTasks } from './plan.ts';
import { createRun } from './run.ts';

/** Any config in which some fields have moved inside their ranges, kept small enough to train for one update. */
const configs = fc
  .array(fc.tuple(fc.nat(fields.length - 1), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 8 })
  .map((changes) =>
    changes.reduce(
      (config, [at, x]) => {
        const { setting, path, slot } = fields[at]!;
        if (path.startsWith('run.') || path.startsWith('rollout.tasks')) return config;
        if (setting === null)
          return setValue(config, path, slot.modules[Math.floor(x * 0.999 * slot.modules.length)]!.id);
        if (setting.kind === 'choice')
          return setValue(config, path, setting.options[Math.floor(x * 0.999 * setting.options.length)]);
        if (setting.kind === 'switch') return setValue(config, path, x > 0.5);
        if (setting.kind === 'integer')
          return setValue(config, path, Math.round(setting.min + x * (Math.min(setting.max, 8) - setting.min)));
        if (setting.kind === 'number') return setValue(config, path, setting.min + x * (setting.max - setting.min));
        return config;
      },
      configWith({
        'run.seeds': 1,
        'run.updates': 1,
        'rollout.tasksPerBatch': 1,
        'rollout.groupSize': 3,
        'policy.mlp.hidden': [4],
      }),
    ),
  );

test('every config that the form accepts starts and finishes an update', async () => {
  let started = 0;
  await fc.assert(
    fc.asyncProperty(configs, async (config) => {
      if (!parseConfig(config).ok || checkRules(config).some((i) => i.severity === 'error')) return;
      const run = await createRun(config);
      expect(run.ok).toBe(true);
      if (!run.ok) return;
      const record = await run.value.submit();
      expect(record.envSteps).toBeGreaterThan(0);
      started++;
    }),
    { numRuns: 80 },
  );
  expect(started).toBeGreaterThan(20);
});

test('a config with an unknown method is refused in words, not thrown', () => {
  const config = { ...defaultConfig(), advantage: { ...defaultConfig().advantage, method: 'nonsense' } };
  const plan = makePlan(config);
  expect(!plan.ok && plan.problem.kind).toBe('configRejected');
});

test('all members of a group get the same level, and other draws unless noise is common', () => {
  const make = (commonNoise: boolean) => {
    const plan = must(
      makePlan(configWith({ 'task.grid.level': 'doorKey', 'task.levels': 0, 'rollout.commonNoise': commonNoise })),
    );
    return { plan, tasks: makeTasks(plan, 3, 'train') };
  };
  for (const isCommon of [false, true]) {
    const { plan, tasks } = make(isCommon);
    for (let row = 0; row < plan.S * plan.B; row++) {
      const head = row - ((row % plan.B) % plan.G);
      expect(tasks.levelOf[row]).toBe(tasks.levelOf[head]);
      if (row !== head) expect(tasks.episodeSeed[row] === tasks.episodeSeed[head]).toBe(isCommon);
    }
  }
});
