import { prepareTask } from '../config/level.ts';
import { problemLine } from '../config/problems.ts';
import { configWith } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { updateNumber } from '../core/counting.ts';
import { mean } from '../core/stats.ts';
import { createRun } from '../engine/run.ts';
import { metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import type { Bound } from './bind.ts';
import type { ArmSpec } from './format/lesson.ts';
import type { Measure, Watcher } from './measures/types.ts';
import { TrainedArm } from './trainedArm.ts';

type Call = Bound & { kind: 'call' };

/** The same experiment with other seeds, where somebody runs a lesson once more: none of the first ones comes again. */
export const withOtherSeeds = (config: Config, times: number): Config =>
  configWith({ 'run.seed': (config.run['seed'] as number) + times * (config.run['seeds'] as number) }, config);

/** An arm before its first update, with everything that wants to watch it. A string says why it cannot be trained. */
export async function openArm(spec: ArmSpec, config: Config, calls: readonly Call[]): Promise<TrainedArm | string> {
  await prepareTask(config);
  const made = await createRun(config);
  if (!made.ok) return `The arm ${spec.id} cannot be trained. ${problemLine(made.problem)}`;
  const arm = new TrainedArm(spec, config, made.value);
  for (const { measure, args, text } of calls) {
    const [of, ...others] = args;
    if (!measure.watch || of?.kind !== 'arm' || of.name !== spec.id || arm.watchers.has(text)) continue;
    arm.watchers.set(text, watcherOf(measure, others));
  }
  for (const watcher of arm.watchers.values()) await watcher.see(arm);
  return arm;
}

function watcherOf({ watch }: Measure, others: readonly Bound[]): Watcher {
  const plain = others.map((arg) => (arg.kind === 'number' ? arg.value : arg.kind === 'call' ? null : arg.name));
  return (watch as unknown as (...all: unknown[]) => Watcher)(...plain);
}

/** True where an arm has nothing left to train. */
export const isOver = (arm: TrainedArm): boolean => arm.isStopped || arm.run.update >= arm.run.updates;

/** Trains one update; the sentence of what went wrong. */
export async function trainOne(spec: ArmSpec, arm: TrainedArm): Promise<string | null> {
  const record = await arm.run.submit();
  arm.charged.push(record.stepsOf);
  const bad = record.bad.findIndex((slot) => slot !== 0);
  if (bad >= 0)
    return `The arm ${spec.id} diverged in update ${updateNumber(record.update)} (seed ${bad + 1}): a number is not finite.`;
  for (const watcher of arm.watchers.values()) await watcher.see(arm);
  arm.isStopped = hasArrived(spec, arm);
  return null;
}

/** True in the first update in which the mean over seeds of the metric of `stopAt` is at least its level. */
function hasArrived({ stopAt }: ArmSpec, { run, S }: TrainedArm): boolean {
  if (!stopAt) return false;
  const m = metricIndex[stopAt.metric as MetricId];
  return mean(Array.from({ length: S }, (_, s) => run.series.at(run.series.length - 1, s, m))) >= stopAt.level;
}

/** Called between two updates of all arms that still train; true ends the training. It may take its time. */
export type Between = (arms: readonly TrainedArm[]) => boolean | Promise<boolean>;

/** Trains arms side by side, one update of each in turn. True: to the end; false: `between` has ended it; or a sentence. */
export async function trainArms(
  all: readonly { readonly spec: ArmSpec; readonly arm: TrainedArm }[],
  between: Between,
): Promise<boolean | string> {
  const arms = all.map(({ arm }) => arm);
  for (let left = all; left.length > 0; left = left.filter(({ arm }) => !isOver(arm))) {
    for (const { spec, arm } of left) {
      const problem = await trainOne(spec, arm);
      if (problem !== null) return problem;
      if (await between(arms)) return false;
    }
  }
  return true;
}
