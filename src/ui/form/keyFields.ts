import { changesBetween } from '../../config/diff.ts';
import { defaultConfig, fieldAt, isActive, type Field } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';

const MOST = 5;
/** How credit is given, and by which formula where it is one. */
const CREDIT = ['advantage.method', 'advantage.formula.text'];
/** What almost every experiment is tried with, best first. */
const USUAL = ['rollout.groupSize', 'optimizer.learningRate', 'run.seeds', 'run.updates', 'objective.entropyCoef'];
/** Texts for machines, and how long and where a run goes: no experiment is about them. */
const LAST = /^run\.|\.text$/;
const defaults = defaultConfig();

/**
 * The settings that matter for an experiment: how credit is given, what the experiment changes, and what is usual, in the
 * order of the form.
 * @param base the experiment that changes are told against
 */
export function keyFields(base: Config, config: Config): readonly Field[] {
  const own = changesBetween(defaults, base).map(({ path }) => path);
  const paths = [...CREDIT, ...own.filter((path) => !LAST.test(path)), ...USUAL];
  const fields = [...new Set(paths)].map((path) => fieldAt(path)!);
  return fields.filter((field) => isActive(config, field)).slice(0, MOST);
}
