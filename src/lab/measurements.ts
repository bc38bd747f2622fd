import type { TrainState } from '../contract/state.ts';
import { measureBehavior, type BehaviorResult } from './behavior/behavior.ts';
import { measureNoise, type NoiseResult } from './noise.ts';
import { measureNotes, type NotesResult } from './notes/notes.ts';
import { panelOf, type PanelResult } from './panel.ts';
import { playersOf } from './players.ts';
import { measureProbes, type ProbesResult } from './probes/probes.ts';
import { measureStops, type StopsResult } from './stops.ts';
import { Decisions, type Decision, type DecisionRequest } from './lookahead/decision.ts';
import { measureLookahead, type AheadRequest, type AheadResult } from './lookahead/lookahead.ts';
import { aloneAt } from './replay.ts';
import type { Run } from '../engine/run.ts';

/**
 * What is measured only when someone asks, on copies: pass@k with n rollouts a level, gradient noise, lookahead, one decision
 * with lookahead, where episodes stop, what a hidden layer tells, whether notes are read, or what is done on turned levels.
 */
export type MeasurementRequest = {
  readonly what: 'passAtK' | 'noise' | 'lookahead' | 'decision' | 'stops' | 'probes' | 'notes' | 'behavior';
  readonly replica: number;
  /** rollouts a level */
  readonly n: number;
  /** start over from the current policy; else continue with what was begun */
  readonly isNew: boolean;
  /** the hidden layer that is read, from 1, where that is measured; absent: the last */
  readonly layer?: number;
  /** how far to look ahead, where that is measured */
  readonly ahead?: AheadRequest;
  /** the state in which it is asked what to do, where that is measured */
  readonly decision?: DecisionRequest;
  /** longest time this call may work, in ms; the answer comes with the call that finishes */
  readonly workMs: number;
};

export type MeasurementAnswer = {
  /** share that is done */
  readonly done: number;
  /** update whose policy is measured */
  readonly update: number;
  readonly panel: PanelResult | null;
  readonly noise: NoiseResult | null;
  readonly lookahead: AheadResult | null;
  readonly decision: Decision | null;
  readonly stops: StopsResult | null;
  readonly probes: ProbesResult | null;
  readonly notes: NotesResult | null;
  readonly behavior: BehaviorResult | null;
  /** why nothing could be measured */
  readonly why: string | null;
};

type Found =
  | (PanelResult | NoiseResult | AheadResult | Decision)
  | (StopsResult | ProbesResult | NotesResult | BehaviorResult | string);

type Work = {
  readonly run: Run;
  readonly request: MeasurementRequest;
  readonly update: number;
  readonly steps: Generator<number, Found>;
  done: number;
};

const MOST_ROLLOUTS = 1024;
const NOTHING = {
  ...{ panel: null, noise: null, lookahead: null, decision: null },
  ...{ stops: null, probes: null, notes: null, behavior: null },
  why: null,
};

/** Measures in pieces, as long as someone asks; one measurement of each kind at a time. The run never moves. */
export class Measurements {
  private readonly decisions = new Decisions();
  private readonly work = new Map<MeasurementRequest['what'], Work>();

  /** `state`: the newest copy of the run's state. */
  answer(run: Run, state: TrainState, request: MeasurementRequest, now: () => number): MeasurementAnswer {
    let work = this.work.get(request.what);
    if (request.isNew || work?.run !== run) {
      const steps = begin(run, state, request, this.decisions);
      work = { run, request, update: state.update, steps, done: 0 };
      this.work.set(request.what, work);
    }
    const until = now() + request.workMs;
    do {
      const next = work.steps.next();
      if (next.done) {
        this.work.delete(request.what);
        return { done: 1, update: work.update, ...NOTHING, ...named(request.what, next.value) };
      }
      // 1 means that the result is here
      work.done = Math.min(0.99, next.value);
    } while (now() < until);
    return { done: work.done, update: work.update, ...NOTHING };
  }
}

function named(what: MeasurementRequest['what'], found: Found): Partial<MeasurementAnswer> {
  if (typeof found === 'string') return { why: found };
  if (what === 'stops') return { stops: found as StopsResult };
  if (what === 'probes') return { probes: found as ProbesResult };
  if (what === 'notes') return { notes: found as NotesResult };
  if (what === 'behavior') return { behavior: found as BehaviorResult };
  if (what === 'lookahead') return { lookahead: found as AheadResult };
  if (what === 'decision') return { decision: found as Decision };
  return what === 'passAtK' ? { panel: found as PanelResult } : { noise: found as NoiseResult };
}

function begin(
  run: Run,
  state: TrainState,
  request: MeasurementRequest,
  decisions: Decisions,
): Generator<number, Found> {
  const { plan } = run;
  const { layer = 0 } = request;
  const replica = Math.max(0, Math.min(plan.S - 1, Math.floor(request.replica)));
  if (request.what === 'noise') return measureNoise(aloneAt(run, state, replica));
  const { base, trained: player } = playersOf(plan, state, replica);
  const n = Math.max(1, Math.min(MOST_ROLLOUTS, Math.floor(request.n)));
  if (request.what === 'probes') return measureProbes(plan, replica, player, base.theta, { levels: n, layer });
  if (request.what === 'notes') return measureNotes(plan, replica, player, n);
  if (request.what === 'behavior') return measureBehavior(plan, replica, player, n);
  if (request.what === 'stops') return measureStops(plan, replica, player, n);
  if (request.what === 'lookahead') return measureLookahead(plan, replica, player, request.ahead!);
  if (request.what === 'decision') {
    const policy = `seed ${replica} after update ${state.update}`;
    return decisions.of(plan, policy, player, request.decision!);
  }
  return panelOf(plan, state, replica, n);
}
