import { columnOf, type BatchField, type ColumnName, type TaskField } from '../../contract/columns.ts';
import { REWARD_PARTS } from '../../contract/columnTable.ts';
import type { News } from '../../contract/tags.ts';
import { whole, type Slice } from '../../gpu/recorder.ts';
import { scanCalls, scanScratch } from '../../gpu/scan.ts';
import { branchCalls } from '../../gpu/match.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { NormalizeMode } from '../../core/stats.ts';
import type { Column, CompareMode, CreditOps, Level, MapName, Rows, Sets, ZipName } from '../../slots/types.ts';
import { blockOf } from '../groups.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { Segments } from './columnRecorder.ts';
import { CreditSets, type Matches } from './creditSets.ts';
import { recorded, type ExtraColumns } from './extraColumns.ts';

const MODES: Readonly<Record<CompareMode, number>> = {
  std: 0,
  mean: 1,
  leaveOneOut: 2,
  leaveOneOutStd: 3,
  comparable: 4,
  average: 7,
  alone: 8,
  stdOverN: 9,
};
/** Modes of normalizeBy that have an operation of their own. */
const [OVER_SPREAD, UNIT_RANGE] = [5, 6];
const MAPS: Readonly<Record<MapName, number>> = { abs: 0, exp: 1, log: 2, logistic: 3 };
/** Functions of two numbers, by the place under which the kernel knows them. */
const ZIPS = 'add subtract multiply divide min max less lessEqual equal keepIf keepUnless'.split(' ');
const SET_MODES = { std: 0, mean: 1, average: 2 } as const;
const CUTS = { zero: 0, bootstrap: 1, egae: 2 } as const;

/** What setStats wrote down of a column, and how. */
type SetStats = {
  readonly x: Column;
  readonly next: Slice;
  readonly mode: number;
  readonly population: number;
  readonly once: number;
  readonly stats: GPUBuffer;
};

/**
 * The operations of estimators as dispatches on the run's buffers. Every operation makes one new column; nothing is
 * read back. Dispatches are added in call order by `flush`, because adding a kernel may wait for its compilation.
 */
export class GpuCreditOps extends CreditSets implements CreditOps {
  readonly outcome: Column;
  readonly reward: Column;
  readonly value: Column;
  readonly entropy: Column;
  readonly logp: Column;
  readonly planMask: Column | null;
  readonly groupSize: number;
  private readonly extra: ExtraColumns;
  private readonly statsOfSets: SetStats[] = [];

  /** `block`: the rows of a task lie in one block of this many rows. */
  constructor(plan: Plan, buffers: RunBuffers, extra: ExtraColumns = {}, block = blockOf(plan)) {
    super(plan, buffers, block);
    this.extra = extra;
    this.outcome = { per: 'trajectory', handle: buffers.judged.outcome };
    this.reward = { per: 'step', handle: buffers.judged.reward };
    this.value = { per: 'step', handle: buffers.columns.value };
    this.entropy = { per: 'step', handle: buffers.columns.entropy };
    this.logp = { per: 'step', handle: buffers.columns.logp };
    this.planMask = extra.planMask ? { per: 'step', handle: extra.planMask } : null;
    this.groupSize = plan.G;
  }
  get logpPhi(): Column {
    return { per: 'step', handle: recorded('logpPhi', this.extra.logpPhi) };
  }
  get rewardParts(): readonly Column[] {
    const { S, B } = this.plan;
    const { rewardParts = [this.b.columns.outcome] } = this.extra;
    return Array.from({ length: REWARD_PARTS }, (_, k) => {
      return { per: 'trajectory', handle: rewardParts[k] ?? whole(this.scratch(S * B)) };
    });
  }
  ofTask(name: TaskField): Column {
    return { per: 'trajectory', handle: recorded(name, this.extra.perTask?.[name]) };
  }
  column(name: BatchField): Column {
    const { per } = columnOf(name);
    if (per === 'task') return this.ofTask(name as TaskField); // it is one per task
    const own: Column = { per: per === 'row' ? 'trajectory' : 'step', handle: this.b.columns[name as ColumnName] };
    if (per !== 'stepAndEnd') return own;
    const y = this.make('step');
    this.op(kernels.rewardAt, own, y, { keeps: 1 });
    return y;
  }

  earnedTags(news: News): Column {
    return this.earned(news, (name) => this.b.columns[name]);
  }

  returnsToGo(x: Column, gamma: number): Column {
    return this.scan(x, gamma);
  }
  private scan(x: Column, a: number): Column {
    const { S, B, T } = this.plan;
    const y = this.make('step');
    const floats = scanScratch(S, B, T);
    const tiles = floats > 0 ? { tiles: this.scratch(floats) } : {};
    for (const { kernel, dims, groups } of scanCalls(S, B, T, a)) {
      this.add(kernel, { b: this.slice(x), length: this.b.columns.length, x: this.slice(y), ...tiles }, dims, groups);
    }
    return y;
  }

  tdSums(gamma: number, lambda: number, cut: 'zero' | 'bootstrap' | 'egae'): { adv: Column; target: Column } {
    const { S, B, T } = this.plan;
    const { buffer: last, rows: maxRows, n, values } = this.b.last;
    const d = this.make('step');
    this.add(
      kernels.tdError,
      {
        r: this.b.judged.reward,
        V: this.b.columns.value,
        last,
        ending: this.b.columns.ending,
        length: this.b.columns.length,
        d: this.slice(d),
      },
      { rows: S * B, cols: T, B, maxRows, n, values, gamma, cut: CUTS[cut] },
      [Math.ceil((S * B * T) / 64)],
    );
    const adv = this.scan(d, gamma * lambda);
    return { adv, target: this.combine(1, adv, 1, this.value) };
  }

  normalize(x: Column, over: 'task' | 'batch' | 'player', mode: CompareMode, rows: Rows = 'trajectories'): Column {
    const { role } = this.extra;
    if (over === 'task') return this.bySegments(x, this.tasks, MODES[mode], rows);
    if (over === 'player' && role)
      return this.bySegments(x, { count: role.players, of: role, block: this.plan.B }, MODES[mode], rows);
    return this.applied(x, this.wholeStats(x, 0, rows), 1, this.b.columns.taskIndex, MODES[mode]);
  }

  protected override segmentStats(x: Column, segments: Segments, rows: Rows): GPUBuffer {
    const { returns } = this.extra;
    const { outcome, taskIndex } = this.b.columns;
    const isKnown = x.handle === outcome && segments.of === taskIndex && rows === 'trajectories';
    return isKnown && returns ? returns : super.segmentStats(x, segments, rows);
  }

  overSpread(x: Column, of: Column, rows: Rows = 'trajectories', over: 'batch' | 'task' = 'batch'): Column {
    const { count, of: group } = this.tasks;
    if (over === 'task') return this.applied(x, this.segmentStats(of, this.tasks, rows), count, group, OVER_SPREAD);
    return this.applied(x, this.wholeStats(of, 0, rows), 1, this.b.columns.taskIndex, OVER_SPREAD);
  }

  unitRange(x: Column): Column {
    return this.applied(x, this.wholeStats(x, 1, 'trajectories'), 1, this.b.columns.taskIndex, UNIT_RANGE);
  }

  normalizeMeans(x: Column): Column {
    const { S, P } = this.plan;
    const { taskIndex } = this.b.columns;
    const means = this.segmentStats(x, this.tasks, 'trajectories');
    const stats = this.scratch(4 * S);
    this.summed(kernels.meanStats, { means, stats }, { B: P });
    return this.applied(this.applied(x, means, P, taskIndex, MODES.average), stats, 1, taskIndex, MODES.std);
  }

  branches(): Column {
    const { S, B, T } = this.plan;
    const { match: head, next } = this.anchors;
    const { length, ending } = this.b.columns;
    const y = this.make('step');
    const scratch = { since: this.scratch(S * B * T), owner: this.scratch(S * B * T) };
    const buffers = { head, next, length, ending, ...scratch, y: this.slice(y) };
    for (const call of branchCalls(this.steps)) this.add(call.kernel, buffers, call.dims, call.groups);
    return y;
  }

  endShare(): Column {
    const { S, B } = this.plan;
    const { finalStateKey: finalKey, length, taskIndex } = this.b.columns;
    const y = this.make('trajectory');
    const buffers = { key: finalKey, length, taskIndex, y: this.slice(y) };
    this.add(kernels.equalShare, buffers, { B, block: this.block }, [Math.ceil(B / 64), 1, S]);
    return y;
  }

  lead(x: Column): Column {
    const { S, B } = this.plan;
    const { length, taskIndex } = this.b.columns;
    const y = this.make('trajectory');
    const buffers = { x: this.slice(x), length, taskIndex, y: this.slice(y) };
    this.add(kernels.lead, buffers, { B, block: this.block }, [Math.ceil(B / 64), 1, S]);
    return y;
  }

  normalizeSets(x: Column, sets: Sets, mode: NormalizeMode, population = false): Column {
    return this.overSets(x, sets, SET_MODES[mode], { population: population ? 1 : 0, once: 0 });
  }

  overLevels(x: Column, levels: readonly Level[], mode: NormalizeMode): { credit: Column; weight: Column } {
    const { B, T } = this.plan;
    const sums = { credit: this.make('step'), weight: this.make('step') };
    const into = { credit: this.slice(sums.credit), weight: this.slice(sums.weight) };
    levels.forEach(({ sets, w }, k) => {
      const { match: head } = sets.handle as Matches;
      const stats = this.statsOf(x, sets, SET_MODES[mode], { population: 1, once: 0 });
      const buffers = { x: this.slice(x), head, stats, ...into };
      this.perStep(kernels.levelSums, buffers, { B, T, first: k === 0 ? 1 : 0, w });
    });
    return sums;
  }

  meanOver(x: Column, sets: Sets, count: 'visit' | 'trajectory'): Column {
    return this.overSets(x, sets, SET_MODES.average, { population: 0, once: count === 'trajectory' ? 1 : 0 });
  }

  private overSets(x: Column, sets: Sets, mode: number, how: { population: number; once: number }): Column {
    const { B, T } = this.plan;
    const stats = this.statsOf(x, sets, mode, how);
    const { match: head } = sets.handle as Matches;
    const y = this.make('step');
    this.perStep(kernels.normalizeAnchor, { x: this.slice(x), head, stats, y: this.slice(y) }, { B, T, mode });
    return y;
  }

  /** Mean and divisor of every set, found once. */
  private statsOf(x: Column, sets: Sets, mode: number, how: { population: number; once: number }): GPUBuffer {
    const { S, B, T } = this.plan;
    const { match: head, next } = sets.handle as Matches;
    const found = this.statsOfSets.find(
      (s) => s.x === x && s.next === next && s.mode === mode && s.once === how.once && s.population === how.population,
    );
    if (found) return found.stats;
    const stats = this.scratch(2 * S * B * T);
    // with a lane for every step of the last block too
    const { block } = this;
    const steps = Math.ceil(B / block) * block * T;
    const buffers = { x: this.slice(x), head, next, stats };
    this.add(kernels.setStats, buffers, { B, T, block, mode, ...how }, [Math.ceil(steps / 64), 1, S]);
    this.statsOfSets.push({ x, next, mode, ...how, stats });
    return stats;
  }

  ended(what: 'success' | 'terminated' | 'timeLeft'): Column {
    return this.endOf(
      { per: 'step', handle: this.b.columns.reward },
      ['success', 'terminated', 'timeLeft'].indexOf(what),
    );
  }

  broadcast(x: Column): Column {
    return this.combine(1, x, 0, x);
  }

  map(f: MapName, x: Column, a = 1, b = 0): Column {
    const rows = this.plan.S * this.plan.B;
    const cols = this.cols(x);
    const y = this.make(x.per);
    const buffers = { x: this.slice(x), length: this.b.columns.length, y: this.slice(y) };
    this.add(kernels.mapValues, buffers, { rows, cols, f: MAPS[f], a, b }, [Math.ceil((rows * cols) / 64)]);
    return y;
  }

  following(x: Column): Column {
    const { S, B, T } = this.plan;
    const y = this.make('step');
    const buffers = { x: this.slice(x), length: this.b.columns.length, y: this.slice(y) };
    this.add(kernels.following, buffers, { rows: S * B, cols: T }, [Math.ceil((S * B * T) / 64)]);
    return y;
  }

  combine(a: number, x: Column, b: number, y: Column, c = 0): Column {
    const z = this.make('step');
    this.combineInto([a, b, c], x, y, this.fill(z));
    return z;
  }
  /** Puts the credit and its target into the sections that the run has for them; `parts` are looked at later. */
  end(A: Column, target: Column | undefined, parts: Readonly<Record<string, Column>> = {}): void {
    const kept = Object.values(parts);
    const put = (x: Column, part: 0 | 1, others: readonly Column[]): void => {
      const z = this.b.creditPart(part);
      if (!this.moveTo(x, z, others)) this.combineInto([1, 0, 0], x, x, z);
    };
    put(A, 0, target ? [...kept, target] : kept);
    if (target) put(target, 1, kept);
  }
  /** Writes a·x + b·y + c·x·y into a section the run already has. */
  private combineInto([a, b, c]: readonly [number, number, number], x: Column, y: Column, z: Slice): void {
    const { S, B, T } = this.plan;
    this.add(
      kernels.combine,
      { x: this.slice(x), y: this.slice(y), length: this.b.columns.length, z },
      { rows: S * B, cols: T, xCols: this.cols(x), yCols: this.cols(y), a, b, c },
      [Math.ceil((S * B * T) / 64)],
    );
  }

  zip(f: ZipName, x: Column | number, y: Column | number): Column {
    const columns = [x, y].filter((side) => typeof side !== 'number');
    const isRow = columns.length > 0 && columns.every(({ per }) => per === 'trajectory');
    const z = this.make(isRow ? 'trajectory' : 'step');
    const [rows, cols] = [this.plan.S * this.plan.B, this.cols(z)];
    // a number has no column: any stands in its place, and none is read
    const side = (of: Column | number): readonly [Slice, number, number] =>
      typeof of === 'number' ? [this.slice(this.outcome), 0, of] : [this.slice(of), this.cols(of), 0];
    const [[left, xCols, a], [right, yCols, b]] = [side(x), side(y)];
    const buffers = { x: left, y: right, length: this.b.columns.length, z: this.slice(z) };
    const dims = { rows, cols, xCols, yCols, f: ZIPS.indexOf(f), a, b };
    this.add(kernels.zipValues, buffers, dims, [Math.ceil((rows * cols) / 64)]);
    return z;
  }

  scaleByLargest(x: Column, floor: number): Column {
    const { S, B, T } = this.plan;
    const y = this.make('step');
    this.add(
      kernels.scaleByLargest,
      { x: this.slice(x), length: this.b.columns.length, y: this.slice(y) },
      { B, T, floor_: floor },
      [1, 1, S],
    );
    return y;
  }

  threshold(x: Column, least: number): Column {
    const rows = this.plan.S * this.plan.B;
    const y = this.make('trajectory');
    this.add(kernels.threshold, { x: this.slice(x), y: this.slice(y) }, { rows, least }, [Math.ceil(rows / 64)]);
    return y;
  }
}
