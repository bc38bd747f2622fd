import { bySteps } from '../config/bySteps.ts';
import type { Config } from '../config/slots.ts';
import type { Outcome } from '../lessons/evaluate.ts';
import type { Lesson } from '../lessons/format/lesson.ts';
import { LessonRuns, type LiveValue, type Trained, type Tried } from '../lessons/runs.ts';
import { openArm, trainOne } from '../lessons/train.ts';
import type { TrainedArm } from '../lessons/trainedArm.ts';
import { metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { makeYield } from './pace.ts';
import type { Told } from './protocol.ts';
import { Telling } from './telling.ts';

/** A curve for the eye: numbers of updates, environment steps of a seed until then, and the values of each seed there. */
export type ArmCurve = {
  readonly x: readonly number[];
  readonly steps: readonly number[];
  readonly seeds: readonly (readonly number[])[];
};
/** How far an arm is, and its curves by metric. */
export type ArmProgress = {
  readonly id: string;
  readonly update: number;
  readonly updates: number;
  /** ended by stopAt */
  readonly isStopped: boolean;
  /** its updates cost different numbers of environment steps by design */
  readonly isBySteps: boolean;
  readonly curves: Readonly<Record<string, ArmCurve>>;
};
/** A lesson whose every name is known: which arms each check is about; or what is wrong with it. */
export type OpenedLesson =
  | { readonly ok: true; readonly armsOf: Readonly<Record<string, readonly string[]>> }
  | { readonly ok: false; readonly issues: readonly string[] };
/** By arm: its checked experiment, or the sentence of why there is none. */
export type ArmConfigs = Readonly<Record<string, Config | string>>;
export type Tell = Told<[arms: readonly ArmProgress[]]>;
export type TrainRequest = {
  readonly arms: readonly string[];
  /** metrics whose curves are told */
  readonly chart: readonly string[];
  readonly again: number;
};

/** Milliseconds between two messages about progress, and between two turns for messages that wait. */
const TELL_MS = 200;
const TURN_MS = 20;
/** Points of a curve that is told. */
const POINTS = 200;
/** An arm is measured for so long, after an update that fills caches. */
const MEASURE_MS = 120;

/** Trains and judges the lesson that is open. One thing at a time: what is asked later waits for its turn. */
export class LessonHost {
  private runs: LessonRuns | null = null;
  private configs: ArmConfigs = {};
  private isEnded = false;
  /** how many calls are under way or wait */
  private asked = 0;
  private readonly nextTurn = makeYield();
  private line: Promise<unknown> = Promise.resolve();

  /** The experiments of the arms come from the page, which has the rules that they are checked by. */
  open(lesson: Lesson, configs: ArmConfigs): Promise<OpenedLesson> {
    return this.inTurn(() => {
      const opened = LessonRuns.open(lesson, ({ id }) => Promise.resolve(configs[id]!));
      if ('issues' in opened) return { ok: false, issues: opened.issues } as const;
      this.runs?.forget();
      const { runs } = opened;
      this.runs = runs;
      this.configs = configs;
      return { ok: true, armsOf: Object.fromEntries(lesson.checks.map(({ id }) => [id, runs.armsOf(id)])) } as const;
    });
  }

  /** Seconds that each arm will take here, about; null where it cannot be trained, and training says why. */
  estimate(): Promise<Readonly<Record<string, number | null>>> {
    return this.inTurn(async () => {
      const found: Record<string, number | null> = {};
      for (const spec of this.runs!.lesson.arms) {
        // who already wants to train does not wait to hear how long it takes
        if (this.asked > 1) break;
        const config = this.configs[spec.id]!;
        const arm = typeof config === 'string' ? config : await openArm(spec, config, []);
        if (typeof arm === 'string') {
          found[spec.id] = null;
          continue;
        }
        found[spec.id] = (await secondsPerUpdate(() => trainOne(spec, arm))) * arm.run.updates;
        arm.run.dispose();
        await this.nextTurn();
      }
      return found;
    });
  }

  /** Trains arms; how that ended, with how far they have come: what is told on the way may arrive later than the end. */
  train(
    { arms, chart, again }: TrainRequest,
    tell: Tell,
  ): Promise<Trained & { readonly arms: readonly ArmProgress[] }> {
    return this.inTurn(async () => {
      const runs = this.runs!;
      const ended = await runs.train(arms, { again, between: this.between(chart, tell) });
      const there = arms.flatMap((id) => runs.arm(id) ?? []);
      return { ...ended, arms: there.map((arm) => progressOf(arm, chart)) };
    });
  }

  exercise(id: string, config: Config | string, again: number, tell: Tell): Promise<Tried> {
    return this.inTurn(() => this.runs!.exercise(id, config, { again, between: this.between(['success'], tell) }));
  }

  /** Ends what trains, between two updates. */
  stop(): Promise<void> {
    this.isEnded = true;
    return Promise.resolve();
  }

  /** Checks that are about trained arms alone, judged. */
  judge(): Promise<readonly Outcome[]> {
    return this.inTurn(async () => {
      const runs = this.runs!;
      const ready = runs.lesson.checks.filter(({ id }) => runs.armsOf(id).every((arm) => runs.has(arm)));
      const found: Outcome[] = [];
      for (const { id } of ready) found.push(await runs.check(id));
      return found;
    });
  }

  /** Live values of a formula. */
  values(values: Readonly<Record<string, string | number>>): Promise<readonly LiveValue[]> {
    return this.inTurn(() => this.runs!.values(values));
  }

  private inTurn<T>(act: () => T | Promise<T>): Promise<T> {
    this.asked++;
    const mine = this.line
      .then(() => {
        this.isEnded = false;
        return act();
      })
      .finally(() => this.asked--);
    this.line = mine.catch(() => undefined);
    return mine;
  }

  /** Tells how far the arms are, lets messages be heard, and says whether somebody wants an end. */
  private between(chart: readonly string[], tell: Tell): (arms: readonly TrainedArm[]) => Promise<boolean> {
    const telling = new Telling(tell, TELL_MS);
    let turned = performance.now();
    return async (arms) => {
      const now = performance.now();
      if (telling.isDue(now))
        telling.say(
          now,
          arms.map((arm) => progressOf(arm, chart)),
        );
      if (now - turned >= TURN_MS) {
        await this.nextTurn();
        turned = performance.now();
      }
      return this.isEnded;
    };
  }
}

async function secondsPerUpdate(train: () => Promise<unknown>): Promise<number> {
  await train();
  const from = performance.now();
  let count = 0;
  do await train();
  while (++count && performance.now() - from < MEASURE_MS);
  return (performance.now() - from) / 1000 / count;
}

function progressOf(arm: TrainedArm, chart: readonly string[]): ArmProgress {
  const { points, update, envSteps, values } = arm.run.series.thin(POINTS);
  const [x, steps] = [Array.from(update), Array.from(envSteps)];
  const curves = Object.fromEntries(
    chart.map((id) => {
      const m = metricIndex[id as MetricId];
      const seeds = Array.from({ length: arm.S }, (_, s) => {
        const from = (m * arm.S + s) * points;
        return Array.from(values.subarray(from, from + points));
      });
      return [id, { x, steps, seeds }];
    }),
  );
  const { id, updates, isStopped, config, run } = arm;
  return { id, update: updates, updates: run.updates, isStopped, isBySteps: bySteps(config), curves };
}
