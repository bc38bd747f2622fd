import { capIssues, isSmall } from '../config/caps.ts';
import { memoryOf } from '../config/memory.ts';
import { coresOfPage } from '../core/coresOfPage.ts';
import { forkIssues, stagesOf } from '../config/fork.ts';
import { checkRules, refusalOf, type Issue } from '../config/rules.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import type { Draft } from './stores/draft.ts';

/** What the page asks about an experiment before it trains. Nothing of it is needed to show one: it comes right after the first paint. */

/** What is wrong with the settings of a draft, and with it as a fork. */
export function issuesOf(config: Config, fork: Draft['fork']): readonly Issue[] {
  const unfit = fork ? forkIssues(fork.base, config, fork.at) : [];
  return [...unfit.map((issue) => ({ ...issue, severity: 'error' as const })), ...checkRules(config)];
}

/** So large that it is prepared when somebody presses Run, and not before. */
export const isLarge = (config: Config): boolean => !isSmall(config);

/** Bytes that a run will hold: on the graphics device if it trains there, else in main memory. */
export function bytesOf(config: Config, backend: 'webgpu' | 'cpu', cores: number): number | null {
  const memory = memoryOf(config, Math.max(1, coresOfPage(cores)));
  return memory && (backend === 'webgpu' ? memory.gpu : memory.cpu);
}

/** Why the experiment of a link cannot be started as it is, in one sentence. */
export function refusalOfLink(config: Config): Problem | null {
  const [tooLarge] = capIssues(config);
  if (!tooLarge) return refusalOf(config);
  const { path, message, repair } = tooLarge;
  const detail = `The field ${path} ${message}.`;
  return { kind: 'linkRejected', reason: 'tooExpensive', detail, ...(repair ? { repair } : {}) };
}

/** The settings that were in force in an update of a forked run. */
export function settingsIn(config: Config, update: number): Config {
  const stages = stagesOf(config);
  const early = stages.ok ? stages.stages.find(({ until }) => update < until) : undefined;
  return early?.config ?? config;
}
