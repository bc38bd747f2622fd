import { columnNames, columnOf, part, type Columns } from '../../contract/columns.ts';
import { columnsOfRow, ROW_COLUMNS } from '../../contract/rows.ts';
import { sum } from '../../core/stats.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import type { RolloutScheme, RowsSeen, Taken } from '../../slots/rollout/types.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import { asksFor, type PlayedColumns } from '../outcomes.ts';
import type { Plan } from '../plan.ts';
import { rowContext } from '../plannedRows.ts';
import { moveTask, roundTasks } from '../roundTasks.ts';
import type { Waiting } from '../waiting.ts';
import { stepsPlayed } from './batches.ts';
import { lookBare, resetRow, type Play } from './lockstep.ts';
import { seenOf } from './phases.ts';
import { playPlaced } from './rollout.ts';
import { creditSizes } from './roundCredit.ts';
import type { Spread } from './update.ts';

/** What the task source of a run is told: how the rows went that it gave, whatever took their places. */
type First = Pick<PlayedColumns, (typeof FIRST)[number] | 'state' | 'measured'>;
const FIRST = ['taskIndex', 'length', 'success', 'outcome'] as const;

/**
 * Further rounds of a batch: rows that are played beside it, some of which take the places of others, and what becomes of its
 * rows in the end. Memory for a round is that of a batch.
 */
export class CpuRounds {
  /** how the rows of the source went, where others may have taken their places */
  readonly first: First | null;
  private readonly plan: Plan;
  private readonly scheme: RolloutScheme;
  private readonly beside: Arrays | null;
  /** [S] steps beyond those of the rows that stayed; rounds, episodes and successes of the update */
  private readonly beyond: Float64Array;
  private readonly counts: { readonly [name in 'rounds' | 'episodes' | 'wins']: Float64Array };

  /** `beside`: where rounds are played, if not in columns of their own */
  constructor(plan: Plan, scheme: RolloutScheme, beside: Arrays | null = null) {
    this.plan = plan;
    this.scheme = scheme;
    this.beside = scheme.round ? (beside ?? makeArrays(plan)) : null;
    const rows = plan.S * plan.B;
    const u32 = (): Uint32Array => new Uint32Array(rows);
    this.first = this.beside && {
      ...{ taskIndex: u32(), length: u32(), success: u32() },
      ...{ outcome: new Float32Array(rows), measured: new Uint8Array(rows).fill(1) },
      state: new Uint32Array(asksFor(plan).states ? rows * (plan.T + 1) * plan.env.words : 0),
    };
    const perSeed = (): Float64Array => new Float64Array(plan.S);
    this.beyond = perSeed();
    this.counts = { rounds: perSeed(), episodes: perSeed(), wins: perSeed() };
  }

  /** After the batch of a replica has been played. False if the network gave a number that is not finite. */
  *play(play: Play, spread: Spread | null): Waiting<boolean> {
    const { plan, scheme, first } = this;
    const { s, arrays } = play;
    for (const name of first ? FIRST : []) part(first![name], plan.S, s).set(part(arrays[name], plan.S, s));
    if (first && first.state.length > 0) part(first.state, plan.S, s).set(part(arrays.state, plan.S, s));
    const finite = this.beside ? yield* this.playBeside(play, this.beside, spread) : true;
    const marks = scheme.settle?.(this.seen(play, plan.B), rowContext(plan, play.tasks, s)) ?? [];
    marks.forEach(({ trains, measured }, i) => {
      arrays.trains[s * plan.B + i] = Number(trains);
      arrays.measured[s * plan.B + i] = Number(measured);
    });
    return finite;
  }

  private *playBeside(play: Play, beside: Arrays, spread: Spread | null): Waiting<boolean> {
    const { plan, scheme, counts } = this;
    const { s, tasks, arrays } = play;
    const { B, S } = plan;
    const before = stepsPlayed(partsOf(arrays, S, s));
    let [finite, steps, episodes, round] = [true, 0, B, 1];
    let wins = sum(part(arrays.success, S, s));
    for (; ; round++) {
      const rows = scheme.round!(this.seen(play, B), rowContext(plan, tasks, s), round);
      if (rows.length === 0) break;
      if (rows.length > B) throw new Error(`${scheme.id} plays ${rows.length} rows in a round of at most ${B}.`);
      const own: Play = {
        ...play,
        arrays: beside,
        tasks: roundTasks(plan, tasks, s, { round, rows }),
        round,
        site: 'round',
      };
      for (const array of Object.values(beside)) part<typeof array>(array, S, s).fill(0);
      rows.forEach(({ fresh, hint }, i) => {
        const again = hint === undefined ? 'late' : 'hint';
        const row = columnsOfRow({ task: 0, origin: fresh === undefined ? again : 'own' });
        for (const name of ROW_COLUMNS) beside[name][s * B + i] = row[name];
        resetRow(own, s * B + i);
      });
      const begins = rows.map(() => 0);
      if (!(yield* playPlaced(own, s * B, begins, spread))) finite = false;
      steps += sum(part(beside.length, S, s));
      episodes += rows.length;
      wins += sum(part(beside.success, S, s));
      const played: RowsSeen = this.seen(own, rows.length);
      const taken = scheme.take?.(this.seen(play, B), played, rowContext(plan, tasks, s), round) ?? [];
      for (const one of taken) this.take(play, own, one);
    }
    this.beyond[s] = before + steps - stepsPlayed(partsOf(arrays, S, s));
    [counts.rounds[s], counts.episodes[s], counts.wins[s]] = [round, episodes, wins];
    return finite;
  }

  /** What the scheme sees of the first `count` rows: columns, and their credit where it asks for that. */
  private seen(play: Play, count: number): RowsSeen {
    const seen = seenOf(play, this.scheme, count);
    return this.scheme.asksCredit ? { ...seen, creditSize: creditSizes(play, count) } : seen;
  }

  /** A row of the round takes the place of one of the batch. */
  private take({ arrays, tasks, s }: Play, own: Play, { row, from, task, isBare }: Taken): void {
    const { S, B } = this.plan;
    if (isBare) lookBare(own, s * B + from);
    const [to, at] = [s * B + row, s * B + from];
    for (const name of columnNames) {
      const { per } = columnOf(name);
      const column: Columns[typeof name] = arrays[name];
      if (column.length === 0 || per === 'task' || per === 'replica') continue;
      const width = column.length / (S * B);
      column.set(own.arrays[name].subarray(at * width, (at + 1) * width), to * width);
    }
    arrays.taskIndex[to] = task;
    moveTask(own.tasks, at, tasks, to);
    tasks.taskIndex[to] = task;
  }

  /** Environment steps of the last batch of replica s beyond those of the rows that stayed in it. */
  steps(s: number): number {
    return this.beyond[s]!;
  }

  /** The numbers of the record of an update. */
  record(arrays: Arrays, s: number, put: (s: number, id: MetricId, value: number) => void): void {
    const { rounds, episodes, wins } = this.counts;
    const { B, S } = this.plan;
    if (this.scheme.settle) put(s, 'trainedShare', sum(part(arrays.trains, S, s)) / B);
    if (!this.beside) return;
    put(s, 'rounds', rounds[s]!);
    put(s, 'episodesPlayed', episodes[s]!);
    put(s, 'playedSuccess', wins[s]! / episodes[s]!);
  }

  get bytes(): number {
    const held = [...Object.values(this.beside ?? {}), ...Object.values(this.first ?? {})];
    return held.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  }
}

const partsOf = ({ length, branchStep }: Arrays, S: number, s: number) => ({
  length: part(length, S, s),
  branchStep: part(branchStep, S, s),
});
