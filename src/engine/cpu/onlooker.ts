import { part } from '../../contract/columns.ts';
import { exp } from '../../core/fmath.ts';
import { wordsOf } from '../../networks/policy.ts';
import type { Replay } from '../../slots/rollout/memory/types.ts';
import { batchOf, writtenOf } from '../arrays.ts';
import type { BesideView } from '../backend.ts';
import type { Plan } from '../plan.ts';
import { drive } from '../waiting.ts';
import { copyBatch } from './batches.ts';
import { Company } from './company.ts';
import type { CpuRestriction } from './restricted.ts';

/** What an update trained on beside its batch: episodes whose mean loss counts `weight` times, and those that it imitated. */
export type Brought = {
  readonly again: readonly Replay[];
  readonly weight: number;
  readonly lessons: readonly Replay[];
};

/** Episodes that are shown of each kind; more would not be looked at. */
const MOST = 128;

/** `theta`: [S, size] as the update began. */
type By = { readonly update: number; readonly theta: Float32Array; readonly s: number };

/** Plays what trained beside a batch once more for people, apart from everything that trains: nobody waits for it. */
export class Onlooker {
  private readonly plan: Plan;
  private readonly restriction: CpuRestriction | null;
  private company: Company | null = null;

  constructor(plan: Plan, restriction: CpuRestriction | null) {
    this.plan = plan;
    this.restriction = restriction;
  }

  view({ again, weight, lessons }: Brought, by: By): BesideView {
    const times = new Map<string, number>();
    const once = lessons.filter((replay) => {
      const name = nameOf(replay);
      times.set(name, (times.get(name) ?? 0) + 1);
      return times.get(name) === 1;
    });
    const { company, rows } = this.play([...again.slice(0, MOST), ...once.slice(0, MOST)], by);
    const isImitated = (row: Replay): boolean => once.includes(row);
    const { plan, arrays } = company;
    const copy = <T extends Float32Array | Uint32Array>(array: T): T => part(array, plan.S, by.s).slice() as T;
    const { T } = plan;
    const A = new Float32Array(plan.B * T);
    rows.forEach((row, i) => {
      const end = i * T + row.actions.length;
      if (isImitated(row)) A.fill(1, i * T, end).set(row.weights ?? [], i * T);
      else A.fill(row.advantage, i * T, end);
    });
    return {
      batch: copyBatch(batchOf(plan, arrays, by.s)),
      ...{ A, ratio: this.ratioOf(company, rows, by.s) },
      ...{ state: copy(arrays.state), probs: copy(arrays.probs) },
      levelSeeds: Uint32Array.from({ length: plan.B }, (_, i) => rows[i]?.name.levelSeed ?? 0),
      ...(wordsOf(plan.policy) ? { written: writtenOf(arrays, copy) } : {}),
      rows: rows.map((row) => ({
        ...{ came: row.came, isImitated: isImitated(row) },
        times: isImitated(row) ? times.get(nameOf(row))! : 1,
      })),
      weight,
      left: again.length + once.length - rows.length,
    };
  }

  /** [B, T] π/π_old of each step. */
  private ratioOf({ plan, arrays, policy }: Company, rows: readonly Replay[], s: number): Float32Array {
    const { B, T } = plan;
    const units = arrays.unitLogp.length > 0;
    const now = part(units ? arrays.unitLogp : arrays.logp, plan.S, s);
    const K = units ? policy.unitsMax : 1;
    const ratio = new Float32Array(B * T).fill(1);
    rows.forEach(({ logp, actions }, i) => {
      if (!logp) return;
      for (let t = 0; t < actions.length; t++) {
        let moved = 0;
        for (let k = 0; k < K; k++) moved += now[(i * T + t) * K + k]! - logp[t * K + k]!;
        ratio[i * T + t] = exp(moved);
      }
    });
    return ratio;
  }

  /** Those of them that come out as they were, and who holds them, and nothing else. */
  private play(shown: readonly Replay[], by: By): { readonly company: Company; readonly rows: readonly Replay[] } {
    // without their π_old, so that the policy gives its own; these objects stand for theirs
    const bare = new Map(shown.map((one): [Replay, Replay] => [withoutLogp(one), one]));
    const company = this.companyFor(shown.length);
    const kept = drive(company.play([...bare.keys()], by, null)) as readonly Replay[];
    const rows = kept.map((row) => bare.get(row)!);
    return rows.length < shown.length ? this.play(rows, by) : { company, rows };
  }

  private companyFor(rows: number): Company {
    const { restriction } = this;
    if (this.company?.plan.B !== rows) this.company = new Company(this.plan, rows, { restriction });
    return this.company!;
  }

  get bytes(): number {
    return this.company?.bytes ?? 0;
  }
}

/** The same episode has the same name. */
const nameOf = ({ name: { levelSeed, maxSteps, variant }, episodeSeed, begins, actions }: Replay): string =>
  [levelSeed, maxSteps, variant, episodeSeed, ...Array.from(begins ?? []), 'plays', ...Array.from(actions)].join();

function withoutLogp(replay: Replay): Replay {
  const bare: { -readonly [K in keyof Replay]: Replay[K] } = { ...replay };
  delete bare.logp;
  return bare;
}
