import type { Config } from '../../config/slots.ts';
import type { Problem } from '../../core/problem.ts';
import type { AnyValues } from '../../core/settings.ts';
import { environments } from '../../envs/registry.ts';
import type { Environment } from '../../envs/types.ts';
import { firstText, sourceOf, worldOf, type LevelSource } from '../stage/world.ts';
import { parseBoard, writeBoard } from './board.ts';

/** Where an environment keeps a level of one's own: its text setting and the choice that makes it count. */
export type OwnLevel = {
  readonly env: Environment;
  readonly text: string;
  readonly choice: string;
  readonly value: string;
  readonly maxLength: number;
};

/** The own-level settings of the config's environment; null if it has none. */
export function ownLevelOf(config: Config): OwnLevel | null {
  const env = environments.find((e) => e.id === config.task.method);
  if (!env) return null;
  for (const [text, setting] of Object.entries(env.settings)) {
    if (setting.kind !== 'text' || !setting.when) continue;
    const { setting: choice, is } = setting.when;
    if (typeof is[0] === 'string') return { env, text, choice, value: is[0], maxLength: setting.maxLength };
  }
  return null;
}

const settingsOf = (config: Config, env: Environment): AnyValues => config.task[env.id] as AnyValues;

/** What the level is made from if `text` is the level. */
export function sourceWith(config: Config, { env, text, choice, value }: OwnLevel, level: string): LevelSource {
  const settings = { ...settingsOf(config, env), [choice]: value, [text]: level };
  return sourceOf({ ...config, task: { ...config.task, [env.id]: settings } }, 1);
}

/** What is wrong with a level text by the words of its parser; null if nothing is. */
export function problemWith(config: Config, own: OwnLevel, level: string): Problem | null {
  const { settings, rewards } = sourceWith(config, own, level);
  const made = own.env.level(settings, rewards, 1);
  return made.ok ? null : made.problem;
}

/** The text to begin with: one's own level, or the level on the stage if its text can be read again. */
export function textToEdit(config: Config, own: OwnLevel, levelSeed: number): string {
  const settings = settingsOf(config, own.env);
  const mine = settings[own.text] as string;
  const isMine = settings[own.choice] === own.value;
  const isSeveral = /\S[^\S\n]*\n[^\S\n]*\n\s*\S/.test(mine);
  if (isMine && !isSeveral) return mine;
  const world = worldOf(config, levelSeed);
  if (!world) return mine;
  const kind = own.env.editor;
  const shown = firstText(world);
  const text = kind.form === 'board' ? writeBoard(parseBoard(shown, kind)) : shown;
  return problemWith(config, own, text) === null ? text : mine;
}
