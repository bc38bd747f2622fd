import type { Problem } from '../core/problem.ts';
import type { Checkpoint, Run } from '../engine/run.ts';
import type { Stored } from '../store/curveParts.ts';
import type { Owned } from '../store/locks.ts';
import type { History } from './history.ts';
import type { Keeper } from './keeper.ts';
import type { RunState } from './protocol.ts';

/** A kept run that continues: its name, what it had trained, and the lock that this tab has on it. */
export type Origin = {
  readonly id?: string | undefined;
  readonly seconds?: number;
  readonly owned?: Owned;
  /** its first updates are stored already */
  readonly stored?: Stored;
};

/** A run between two updates: its state, and its past. */
type Now = { readonly checkpoint: Checkpoint; readonly history: History };

/** As good as a UUID, which there is only in secure contexts. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');

/** What stays of a run when the page goes. The code that writes comes when a run first trains. */
export class Keeping {
  /** empty where nothing is kept */
  readonly id: string;
  private readonly tell: (problem: Problem) => void;
  private readonly keeps: boolean;
  private readonly owned: Owned | null;
  private readonly stored: Stored | undefined;
  private keeper: Promise<Keeper> | null = null;
  private seconds: number;
  private since: number | null = null;
  /** A running run trains to its end, and not only the updates that were asked for: whoever continues it goes on. */
  goesOn = true;

  /** `keeps`: false where nothing may be stored. */
  constructor(tell: (problem: Problem) => void, keeps: boolean, { id, seconds, owned, stored }: Origin = {}) {
    this.keeps = keeps;
    this.id = id ?? (keeps ? newId() : '');
    this.seconds = seconds ?? 0;
    this.owned = owned ?? null;
    this.stored = stored;
    this.tell = tell;
  }

  /** The run has another state. */
  note(run: Run | null, state: RunState, problem: Problem | null): void {
    const now = performance.now();
    if (this.since !== null) this.seconds += (now - this.since) / 1000;
    this.since = state === 'running' ? now : null;
    const kept = this.kept(state);
    if (run && this.keeper) this.ask((keeper) => keeper.note(kept, problem));
  }

  /** A copy of the state between two updates, with the timeline until there; `isLast`: no other comes soon. */
  take(run: Run, { checkpoint, history }: Now, state: RunState, isLast: boolean): void {
    if (checkpoint.state.update === 0 || !this.keeps || typeof indexedDB === 'undefined') return;
    const trained = this.since === null ? 0 : (performance.now() - this.since) / 1000;
    const { config, trainedOn: backend } = run;
    const taken = {
      ...{ config, checkpoint, backend, seconds: this.seconds + trained },
      series: run.series,
      points: () => history.points(),
    };
    const kept = this.kept(state);
    this.ask((keeper) => keeper.take(taken, kept, isLast));
  }

  /** Another run takes the place of this one. */
  leave(): void {
    if (this.keeper) this.ask((keeper) => keeper.leave());
    else this.owned?.release();
  }

  private kept(state: RunState): RunState {
    return state === 'running' && !this.goesOn ? 'paused' : state;
  }

  private ask(act: (keeper: Keeper) => void | Promise<void>): void {
    const { id, tell, owned, stored } = this;
    this.keeper ??= import('./keeper.ts').then((m) => new m.Keeper(id, tell, { owned, stored }));
    this.keeper.then(act).catch(() => {
      // the code could not be loaded: the next state asks for it again
      this.keeper = null;
    });
  }
}
