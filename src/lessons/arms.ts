import { capIssues } from '../config/caps.ts';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { problemLine } from '../config/problems.ts';
import { checkRules } from '../config/rules.ts';
import { configWith, defaultConfig, fieldAt, parseConfig } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { ArmSpec } from './format/lesson.ts';

/**
 * The experiment of an arm, on the CPU path, with changes of the reader laid over it; or the sentence of why it cannot be
 * trained. It is held to the rules and caps of every experiment.
 */
export async function configOfArm(arm: ArmSpec, own: Readonly<Record<string, unknown>> = {}): Promise<Config | string> {
  const preset = arm.preset === undefined ? null : presetById(arm.preset);
  if (preset === undefined)
    return `The arm ${arm.id} begins with “${arm.preset}”, which is not an experiment of the lab.`;
  const changes = { ...arm.changes, ...own, 'run.backend': 'cpu' };
  const strange = Object.keys(changes).find((path) => !fieldAt(path));
  if (strange !== undefined) return `The arm ${arm.id} changes “${strange.slice(0, 60)}”, which is not a setting.`;
  const parsed = parseConfig(configWith(changes, preset === null ? defaultConfig() : presetConfig(preset)));
  if (!parsed.ok) return `The arm ${arm.id} cannot be trained. ${problemLine(parsed.problem)}`;
  const config = parsed.value;
  await prepareTask(config);
  const [wrong] = [...capIssues(config), ...checkRules(config).filter((issue) => issue.severity === 'error')];
  return wrong ? `The arm ${arm.id} cannot be trained: ${wrong.path} ${wrong.message}.` : config;
}
