import type { Config } from '../config/slots.ts';
import { armsIn, bindExpression, callsIn, type Bound } from './bind.ts';
import { judge, numberOf, type Outcome } from './evaluate.ts';
import { faultWords } from './format/expression.ts';
import type { BlockOf } from './format/blocks.ts';
import type { ArmSpec, Lesson } from './format/lesson.ts';
import type { TrainedArm } from './trainedArm.ts';
import { openArm, trainArms, withOtherSeeds, type Between } from './train.ts';

export type TrainOptions = {
  /** asked between two updates; true ends the training */
  readonly between?: Between;
  /** how often the lesson has been run with other seeds before: 0 are the seeds of the lesson */
  readonly again?: number;
};
/** How training ended: `done`, `stopped` by the reader, or a sentence. */
export type Trained =
  { readonly kind: 'done' } | { readonly kind: 'stopped' } | { readonly kind: 'problem'; readonly problem: string };
/** The same of an exercise, with what its goal has come to. */
export type Tried = { readonly kind: 'done'; readonly outcome: Outcome } | Exclude<Trained, { readonly kind: 'done' }>;
/** A live value of a formula: its number, or the sentence of why there is none yet. */
export type LiveValue = { readonly name: string; readonly value: number | null; readonly problem: string | null };

/** The checked experiment of an arm: `configOfArm`, or what somebody has made of it before; a sentence where there is none. */
export type ConfigOf = (arm: ArmSpec) => Promise<Config | string>;
type Opened = { readonly spec: ArmSpec; readonly arm: TrainedArm };
type FormulaValues = BlockOf<'formula'>['formula']['values'];

const endedBy = (ended: boolean | string): Trained =>
  typeof ended === 'string' ? { kind: 'problem', problem: ended } : { kind: ended ? 'done' : 'stopped' };

export function exerciseIn({ blocks }: Lesson, id: string): BlockOf<'exercise'>['exercise'] {
  for (const block of blocks) if ('exercise' in block && block.exercise.id === id) return block.exercise;
  throw new Error(`There is no exercise ${id}.`);
}

/**
 * The arms of a lesson that have been trained, and what its checks and formulas say of them. No page, no clock: the same in
 * a test, on the command line and in the worker of the page.
 */
export class LessonRuns {
  readonly lesson: Lesson;
  private readonly arms = new Map<string, TrainedArm>();
  private readonly checks = new Map<string, Bound>();

  private readonly configOf: ConfigOf;

  private constructor(lesson: Lesson, configOf: ConfigOf) {
    this.lesson = lesson;
    this.configOf = configOf;
  }

  /** Looks up everything that expressions name; the sentences of what cannot be found. */
  static open(lesson: Lesson, configOf: ConfigOf): { runs: LessonRuns } | { issues: readonly string[] } {
    const runs = new LessonRuns(lesson, configOf);
    const issues: string[] = [];
    const arms = lesson.arms.map((arm) => arm.id);
    for (const { id, value } of lesson.checks) {
      const found = bindExpression(value, { arms });
      if ('fault' in found) issues.push(`The value of the check “${id}” ${faultWords(value, found.fault)}.`);
      else runs.checks.set(id, found.bound);
    }
    for (const block of lesson.blocks) if ('formula' in block) issues.push(...runs.formulaIssues(block.formula.values));
    return issues.length > 0 ? { issues } : { runs };
  }

  private formulaIssues(values: FormulaValues): string[] {
    return [...this.bindAll(values)].flatMap(([name, found]) =>
      'fault' in found ? [`The value ${name} of a formula ${faultWords(String(values[name]), found.fault)}.`] : [],
    );
  }

  /** The values of a formula in their order; each may use those before it by their names. */
  private bindAll(values: FormulaValues): Map<string, ReturnType<typeof bindExpression>> {
    const arms = this.lesson.arms.map((arm) => arm.id);
    const known = new Map<string, Bound>();
    const all = new Map<string, ReturnType<typeof bindExpression>>();
    for (const [name, written] of Object.entries(values)) {
      const found = bindExpression(written, { arms, values: known });
      if ('bound' in found) known.set(name, found.bound);
      all.set(name, found);
    }
    return all;
  }

  private specOf(id: string): ArmSpec {
    const spec = this.lesson.arms.find((arm) => arm.id === id);
    if (!spec) throw new Error(`There is no arm ${id}.`);
    return spec;
  }

  /** Trains arms side by side from their start. Those of before with these names are gone. */
  async train(ids: readonly string[], { between, again = 0 }: TrainOptions = {}): Promise<Trained> {
    this.forget(ids);
    const all = await this.open(ids, again);
    if (typeof all === 'string') return { kind: 'problem', problem: all };
    const ended = endedBy(await trainArms(all, between ?? (() => false)));
    for (const { spec, arm } of all) {
      if (ended.kind === 'done') this.arms.set(spec.id, arm);
      else arm.run.dispose();
    }
    return ended;
  }

  /**
   * Trains the arm of an exercise with the experiment that the reader has made of it, and judges its goal. Other arms that the goal is about are
   * those that have been trained, or are trained with it. The arms of the lesson stay.
   */
  async exercise(id: string, config: Config | string, options: TrainOptions = {}): Promise<Tried> {
    const { arm, goal } = exerciseIn(this.lesson, id);
    const others = this.armsOf(goal).filter((name) => name !== arm && !this.has(name));
    const all = await this.open([arm, ...others], options.again ?? 0, { arm, config });
    if (typeof all === 'string') return { kind: 'problem', problem: all };
    const ended = endedBy(await trainArms(all, options.between ?? (() => false)));
    const tried = new Map([...this.arms, ...all.map((one) => [one.spec.id, one.arm] as const)]);
    const outcome = ended.kind === 'done' ? await this.judge(goal, tried) : null;
    for (const one of all) one.arm.run.dispose();
    return outcome ? { kind: 'done', outcome } : (ended as Exclude<Trained, { kind: 'done' }>);
  }

  /** Arms before their first update; a sentence where one cannot be trained. */
  private async open(
    ids: readonly string[],
    again: number,
    tried?: { readonly arm: string; readonly config: Config | string },
  ): Promise<Opened[] | string> {
    const calls = [...this.checks.values(), ...this.formulaBounds()].flatMap(callsIn);
    const all: Opened[] = [];
    for (const id of ids) {
      const spec = this.specOf(id);
      const config = tried?.arm === id ? tried.config : await this.configOf(spec);
      const arm = typeof config === 'string' ? config : await openArm(spec, withOtherSeeds(config, again), calls);
      if (typeof arm === 'string') {
        for (const one of all) one.arm.run.dispose();
        return arm;
      }
      all.push({ spec, arm });
    }
    return all;
  }

  private formulaBounds(): Bound[] {
    return this.lesson.blocks.flatMap((block) =>
      'formula' in block
        ? [...this.bindAll(block.formula.values).values()].flatMap((found) => ('bound' in found ? [found.bound] : []))
        : [],
    );
  }

  /** Arms that a check is about. */
  armsOf(check: string): readonly string[] {
    return armsIn(this.checks.get(check)!);
  }

  has(arm: string): boolean {
    return this.arms.has(arm);
  }

  arm(id: string): TrainedArm | undefined {
    return this.arms.get(id);
  }

  /** Judges a check on the arms as they are trained now. */
  check(id: string): Promise<Outcome> {
    return this.judge(id, this.arms);
  }

  private judge(id: string, arms: ReadonlyMap<string, TrainedArm>): Promise<Outcome> {
    return judge(
      this.lesson.checks.find((check) => check.id === id)!,
      this.checks.get(id)!,
      arms,
    );
  }

  /** Live values of a formula, in its order. */
  async values(values: FormulaValues): Promise<LiveValue[]> {
    const found: LiveValue[] = [];
    for (const [name, binding] of this.bindAll(values)) {
      try {
        const value = 'bound' in binding ? await numberOf(binding.bound, this.arms) : NaN;
        found.push({ name, value, problem: null });
      } catch (error) {
        found.push({ name, value: null, problem: error instanceof Error ? error.message : String(error) });
      }
    }
    return found;
  }

  /** Frees arms; all of them without names. */
  forget(ids: readonly string[] = [...this.arms.keys()]): void {
    for (const id of ids) {
      this.arms.get(id)?.run.dispose();
      this.arms.delete(id);
    }
  }
}
