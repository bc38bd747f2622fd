import type { AnyValues } from '../core/settings.ts';
import type { Environment } from '../envs/types.ts';

/** What levels of a run are made from, and how many are kept. */
type Source = {
  readonly env: Environment;
  readonly settings: AnyValues;
  readonly rewards: AnyValues;
  readonly most: number;
};

/** Parsed levels by seed, step limit (0: that of the settings) and variant, each made once while it is kept. */
export function levelsOf({ env, settings, rewards, most }: Source) {
  const levels = new Map<string, unknown>();
  const cut = (maxSteps: number): AnyValues => env.cutAt?.(settings, maxSteps) ?? { ...settings, maxSteps };
  return (levelSeed: number, maxSteps = 0, variant = 0): unknown => {
    const name = `${levelSeed} ${maxSteps} ${variant}`;
    let found = levels.get(name);
    if (found === undefined) {
      const parsed = env.level(maxSteps === 0 ? settings : cut(maxSteps), rewards, levelSeed);
      if (!parsed.ok) throw new Error('A level that was checked before the run could not be made again.');
      if (levels.size >= most) levels.delete(levels.keys().next().value!);
      found = variant === 0 ? parsed.value : env.deal!.level(parsed.value, variant);
      levels.set(name, found);
    }
    return found;
  };
}
