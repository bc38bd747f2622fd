import { columnOf, shownNames, sizeOf, type Batch } from '../contract/columns.ts';
import { zeros } from '../contract/numbers.ts';
import { positionsOf } from '../slots/metrics/batchMeasures.ts';
import { structureOf } from '../slots/metrics/measures.ts';
import { wordUnits, writtenView } from './written.ts';
import type { Followed } from './followed.ts';
import { shownPart } from './shownPart.ts';
import { pathsOf, Shortest } from './pathsOf.ts';
import { measuredPart, partOf } from '../engine/measuredPart.ts';
import { agesOf } from './agesOf.ts';
import { sizesOf } from '../engine/arrays.ts';
import type { BatchView, BesideView } from '../engine/backend.ts';
import { originOf } from '../contract/rows.ts';
import { truthsIn } from './creditExact.ts';
import { PAIR_LIMIT } from '../engine/exactValues.ts';
import type { Ground } from './creditGround.ts';
import { CreditLab } from './creditLab.ts';
import { lawOf } from './law.ts';
import { exactKl, movedStates, type Moved } from './measures.ts';
import { MeasuredSeries } from './measuredSeries.ts';
import { seenBy } from '../engine/past.ts';
import { fromStart } from '../engine/begins.ts';
import type { Plan } from '../engine/plan.ts';
import type { Run } from '../engine/run.ts';
import type { BesideShown, JudgedView, LevelMap, MeasuredHistory, ShownColumns, Snapshot } from './snapshotTypes.ts';

/** Levels of one batch that get a map and exact values with every snapshot; more would not be looked at. */
const MAPS = 4;

type Known = Ground & Moved;

/** Makes what the page shows of a batch, and keeps the batch for questions about its credit. */
export class Snapshots {
  readonly lab = new CreditLab();
  private run: Run | null = null;
  private series = new MeasuredSeries();
  private shortest: Shortest | null = null;
  private followed: Followed | null = null;

  /** Measures of the batches that were shown so far. */
  history(replica: number): MeasuredHistory {
    return this.series.history(replica);
  }

  /** For a run that continues from an update of the current one: it has the same measures until there. */
  goOn(run: Run): Snapshots {
    const next = new Snapshots();
    [next.run, next.series, next.shortest] = [run, this.series.copy(), this.shortest];
    next.followed = this.followed;
    return next;
  }

  /** Null where no two solvers were cloned, as in most runs. */
  private async followedBy(plan: Plan): Promise<Followed | null> {
    if (plan.cloneEpisodes === 0) return null;
    return (this.followed ??= new (await import('./followed.ts')).Followed(plan));
  }

  /**
   * The stored batch of one replica with the policy, its credit and, where the task is small, the exact credit. `name`:
   * the replica that a scratch run of one replica stands for.
   */
  async make(run: Run, replica: number, name: number = replica): Promise<Snapshot> {
    if (this.run !== run) {
      this.run = run;
      this.series = new MeasuredSeries();
      [this.shortest, this.followed] = [null, null];
    }
    // nothing was shown yet of a run that another one goes on from
    const shortest = (this.shortest ??= new Shortest(run.plan));
    const followed = await this.followedBy(run.plan);
    const whole = { ...(await run.backend.view(replica)), replica: name };
    const grounds = this.lab.groundsOf(run.plan);
    const { plan, view } = shownPart(run.plan, whole);
    const { batch } = view;
    const world = view.world ?? {};
    const known = new Map<number, Known>();
    const policies = new Map<number, Float32Array>();
    const seeds = new Set(view.levelSeeds);
    const theta = seenBy(plan, view.after);
    for (const levelSeed of seeds) {
      if (known.size >= MAPS) break;
      const ground = grounds.of(levelSeed);
      if (!ground) continue;
      const probs = grounds.policyOf(levelSeed, ground.all, view.theta, view.restriction);
      if (ground.seen === ground.all && !view.versions) policies.set(levelSeed, probs);
      known.set(levelSeed, {
        ...ground,
        probs,
        after: grounds.policyOf(levelSeed, ground.all, theta, view.restriction),
      });
    }
    const kept = this.lab.keep(run.plan, whole, policies);
    const mapRow = rowsOf(plan, view, known);
    // with many levels, or many mixtures of versions on a large one, the truth waits until someone asks for it
    const states = Math.max(0, ...[...known.values()].map(({ seen }) => seen?.model.states ?? 0));
    const truths = truthsIn(whole);
    const isQuick = truths <= MAPS || truths * states * plan.T <= MAPS * PAIR_LIMIT;
    const exact = new Set(whole.levelSeeds).size <= MAPS && isQuick ? kept.exactNow(() => false) : null;
    const own = measuredPart(batch);
    const written = writtenView(plan, view);
    const [ownA, ownDelta] = [view.A, view.delta].map((x) => partOf(x, plan.B, own.rows)) as [
      Float32Array,
      Float32Array,
    ];
    const headline = exact && kept.headline(whole.A);
    const measured = {
      ...(headline ?? { creditCorr: null, creditSign: null, gradCosine: null }),
      ...structureOf(own.batch, ownA, ownDelta, wordUnits(plan, view, written, own.rows)),
      ...exactKl(plan, view, known, mapRow),
      ...pathsOf(batch, fromStart(plan, view, own.rows), view.levelSeeds, shortest.of(seeds)),
      ...(followed ? followed.of(view, own.rows) : { followsFirst: null, followsSecond: null }),
    };
    const envSteps = view.update < run.series.length ? run.series.envSteps(view.update) : 0;
    this.series.put(name, { update: view.update, envSteps, measured });
    // what goes to the page is handed over for good, so the page gets copies
    return {
      update: view.update,
      replica: name,
      ...{ B: plan.B, whole: run.plan.B },
      T: plan.T,
      words: plan.env.words,
      actions: plan.actionNames,
      ...shownColumns(plan, { ...batch, ...world }),
      judged: judgedOf(plan, view),
      probs: view.probs.slice(),
      state: view.state.slice(),
      mapRow,
      levelSeeds: view.levelSeeds.slice(),
      ...forksIn(view),
      ...repairsIn(batch),
      ...(view.beside ? { beside: besideOf(plan, view.beside, known) } : {}),
      written,
      A: view.A.slice(),
      parts: Object.entries(view.parts).map(([name, values]) => ({ name, values: values.slice() })),
      exact: exact && exact.slice(0, plan.B * plan.T),
      creditCorr: measured.creditCorr,
      creditSign: measured.creditSign,
      signThreshold: exact ? kept.threshold : 0,
      measured,
      ages: agesOf(plan, batch, view.update, replica, written),
      weights: view.weights ? { ...view.weights, units: view.weights.units.slice() } : null,
      expected: run.expected(replica),
      positions: positionsOf(own.batch, ownA, ownDelta),
      law: lawOf(run.whole, run.series, Math.min(replica, run.series.S - 1)),
      history: this.series.history(name),
      maps: [...known].map(([levelSeed, k]) => mapOf(plan, view, levelSeed, k, mapRow, own.rows)),
    };
  }
}

/** Episodes that trained beside the batch, for the page. */
function besideOf(plan: Plan, view: BesideView, known: ReadonlyMap<number, Known>): BesideShown {
  const { batch, rows, ratio, weight, left } = view;
  const { B } = batch;
  const levels = [...new Set(view.levelSeeds)];
  return {
    ...shownColumns({ ...plan, P: B, G: 1, B }, batch),
    // nothing compares them, so those of a level stand together
    taskIndex: view.levelSeeds.map((seed) => levels.indexOf(seed)),
    origin: Uint8Array.from(rows, ({ came }) => originOf(came.origin)),
    ...{ B, rows, ratio, weight, left, A: view.A, state: view.state, probs: view.probs },
    levelSeeds: view.levelSeeds,
    mapRow: rowsOf(plan, view, known),
    written: writtenView(plan, view),
  };
}

/** Where rows were forked and why. */
const forksIn = ({ forks, batch: { branchParent: parent, branchStep: step } }: BatchView): Pick<Snapshot, 'forks'> =>
  parent && step ? { forks: { parent: parent.slice(), step: step.slice(), decisions: forks ?? [] } } : {};

/** Forks that the policy did not begin by itself, which metrics leave out. */
function repairsIn({ origin, measured, branchStep }: Batch): Pick<Snapshot, 'repairs'> {
  if (!origin || !measured || !branchStep || branchStep.length === 0) return {};
  const isRepair = (i: number): boolean => origin[i] === originOf('fork') && measured[i] === 0;
  const repairs = Uint32Array.from(branchStep, (t, i) => (isRepair(i) ? t + 1 : 0));
  return repairs.some((step) => step > 0) ? { repairs } : {};
}

/** Copies of the columns that the page gets. */
function shownColumns(plan: Plan, batch: Batch): ShownColumns {
  const sizes = sizesOf(plan);
  const shown = shownNames.map((name) => [
    name,
    batch[name]?.slice() ?? zeros(columnOf(name).type, sizeOf(name, sizes)),
  ]);
  return Object.fromEntries(shown) as ShownColumns;
}

/** Rewards as the estimator saw them, where they are not those of the world. */
function judgedOf({ normalizesReward, control, rewards }: Plan, { batch, world }: BatchView): JudgedView | null {
  if (!world) return null;
  const [reward, outcome] = [batch.reward.slice(), batch.outcome.slice()];
  const shapedBy = rewards.map(({ module }) => module.title);
  return { reward, outcome, isNormalized: normalizesReward, shapedBy, paysKl: control.klIn === 'reward' };
}

/** Row of every state of the batch in the enumeration of its level, 0xffffffff if there is none. [B, T+1] */
function rowsOf(
  { env }: Plan,
  view: Pick<BatchView, 'batch' | 'levelSeeds' | 'state'>,
  known: ReadonlyMap<number, Known>,
): Uint32Array {
  const { B, T } = view.batch;
  const rows = new Uint32Array(B * (T + 1)).fill(0xffffffff);
  for (let i = 0; i < B; i++) {
    const all = known.get(view.levelSeeds[i]!)?.all;
    if (!all) continue;
    for (let t = 0; t <= view.batch.length[i]!; t++) {
      const at = i * (T + 1) + t;
      const row = all.rowOf(view.state, at * env.words);
      if (row >= 0) rows[at] = row;
    }
  }
  return rows;
}

/** A level with what the policy's own episodes, `rows`, did in it. */
function mapOf(
  plan: Plan,
  view: BatchView,
  levelSeed: number,
  known: Known,
  mapRow: Uint32Array,
  rows: readonly number[],
): LevelMap {
  const { T } = plan;
  const { all, probs } = known;
  const n = all.model.states;
  const visits = new Uint32Array(n);
  const [credit, paid] = [new Float32Array(n), new Float32Array(n)];
  for (const i of rows) {
    if (view.levelSeeds[i] !== levelSeed) continue;
    for (let t = 0; t < view.batch.length[i]!; t++) {
      const s = mapRow[i * (T + 1) + t]!;
      if (s === 0xffffffff) continue;
      visits[s]!++;
      credit[s]! += view.A[i * T + t]!;
      paid[s]! += view.batch.reward[i * T + t]!;
    }
  }
  for (const sums of [credit, paid]) sums.forEach((sum, s) => visits[s]! > 0 && (sums[s] = sum / visits[s]!));
  const { cell, layer, scene } = known;
  return {
    levelSeed,
    states: all.states.slice(),
    cell: cell.slice(),
    layer: layer.slice(),
    probs: probs.slice(),
    visits,
    credit,
    paid,
    moved: movedStates(known, plan.actions),
    scene,
  };
}
