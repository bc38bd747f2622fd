import { part } from '../../contract/columns.ts';
import { signalSteps, TOLD, TOLD_WORDS, type SignalRule } from '../../contract/signalSteps.ts';
import type { Known, Potential, SignalName, Signals, Told } from '../../contract/signals.ts';
import type { Move, StepResult } from '../../envs/types.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';
import { potentialOf, signalRuleOf, SignalTables, signalsOfPlan } from '../signalTables.ts';

const told: Told = { reached: 0, completion: 0, phi: 0, cost: 0, isLost: false };
const result: StepResult = { reward: 0, flags: 0 };

/** What of a finished batch the signals are made of. */
export type Played = Pick<Arrays, 'state' | 'action' | 'length' | 'success' | 'stateKey'>;

/** What of its tasks they are made of. */
export type PlayedTasks = Pick<Tasks, 'levels' | 'levelOf' | 'episodeSeed'>;

/** Signals of finished batches, from the states that were played: nothing is computed while episodes run. */
export class CpuSignals {
  readonly tables: SignalTables;
  private readonly plan: Plan;
  private readonly names: readonly SignalName[];
  private readonly rule: SignalRule;
  private readonly potential: Potential;
  /** [B, T + 1, TOLD_WORDS] */
  private readonly told: Uint32Array;
  private readonly floats: Float32Array;
  private readonly state: Uint32Array;
  private readonly move: Move = { action: 0, seed: 0 };

  /** Null where no module needs a signal. */
  static of(plan: Plan): CpuSignals | null {
    const names = signalsOfPlan(plan);
    return names.length > 0 ? new CpuSignals(plan, names) : null;
  }

  /** For single rows of a view: `make` fills whatever it is given. */
  static ofRows(plan: Plan): CpuSignals {
    return new CpuSignals({ ...plan, B: 1 }, []);
  }

  private constructor(plan: Plan, names: readonly SignalName[]) {
    this.plan = plan;
    this.tables = new SignalTables(plan);
    this.names = names;
    this.rule = signalRuleOf(plan);
    this.potential = potentialOf(plan);
    this.told = new Uint32Array(plan.B * (plan.T + 1) * TOLD_WORDS);
    this.floats = new Float32Array(this.told.buffer);
    this.state = new Uint32Array(plan.env.words);
  }

  /** Writes the signals of replica s of the arrays. `row0`: where its tasks begin, if elsewhere. */
  fill(arrays: Arrays, tasks: Tasks, s: number): void {
    const { plan } = this;
    const own = <T extends Float32Array | Uint32Array>(array: T): T => part(array, plan.S, s);
    const into = Object.fromEntries(this.names.map((name) => [name, own(arrays[name])])) as Signals;
    const { state, action, length, success, stateKey } = arrays;
    const played = {
      ...{ state: own(state), action: own(action), length: own(length) },
      ...{ success: own(success), stateKey: own(stateKey) },
    };
    this.make(played, into, tasks, s * plan.B);
  }

  /** The signals `into` of one replica's rows, whose tasks begin with row `first`. */
  make(played: Played, into: Signals, tasks: PlayedTasks, first: number): void {
    const { plan, told: words } = this;
    const { B, T } = plan;
    for (let i = 0; i < B; i++) {
      const level = tasks.levels[tasks.levelOf[first + i]!];
      const known = { level, table: this.tables.of(level), potential: this.potential };
      this.move.seed = tasks.episodeSeed[first + i]!;
      for (let t = 0; t <= played.length[i]!; t++) this.tell(played, known, i, t);
    }
    signalSteps({ T, ...played, told: words }, this.rule, into);
  }

  private tell({ state, action, length }: Played, known: Known<unknown>, i: number, t: number): void {
    const { plan, told: words, floats, move } = this;
    const { T, env } = plan;
    const { level, table } = known;
    const from = (i * (T + 1) + t) * env.words;
    const at = (i * (T + 1) + t) * TOLD_WORDS;
    env.signals!.tell(known, state, from, told);
    words[at + TOLD.reached] = told.reached;
    floats[at + TOLD.completion] = told.completion;
    floats[at + TOLD.phi] = told.phi;
    floats[at + TOLD.cost] = told.cost;
    words[at + TOLD.lost] = told.isLost ? 1 : 0;
    env.signals!.novelKey(level, state, from, words, at + TOLD.high);
    words[at + TOLD.flags] = table[0]! << 24;
    if (t === length[i]) return;
    for (let w = 0; w < env.words; w++) this.state[w] = state[from + w]!;
    move.action = action[i * T + t]!;
    env.step(level, this.state, 0, move, result);
    words[at + TOLD.flags]! |= result.flags;
  }
}
