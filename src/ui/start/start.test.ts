import { expect, test } from 'vitest';
import { presetConfig, presets } from '../../config/presets.ts';
import { checkRules } from '../../config/rules.ts';
import { setValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { breakOf } from './breaks.ts';
import { goalOf } from './goal.ts';

const wrong = (config: Config): number => checkRules(config).filter(({ severity }) => severity === 'error').length;

test('a reward that pays for something else than the task says the goal, on every task, while it is on', () => {
  for (const id of ['room-coverage', 'key-door']) {
    const config = presetConfig(presets.find((p) => p.id === id)!);
    expect(goalOf(setValue(config, 'reward.subpo.on', true)), id).toMatch(/not seen before/);
    expect(goalOf(setValue(config, 'reward.subpo.on', false)), id).not.toMatch(/seen/);
  }
});

test('every experiment has a goal in one sentence and a change that breaks it and that its rules allow', () => {
  for (const preset of presets) {
    const config = presetConfig(preset);
    expect(goalOf(config), preset.id).toMatch(/^[A-Z].+[^.]\.$/);
    const found = breakOf(config);
    expect(found, preset.id).not.toBeNull();
    expect(wrong(setValue(config, found!.path, found!.value)), preset.id).toBe(wrong(config));
  }
});
