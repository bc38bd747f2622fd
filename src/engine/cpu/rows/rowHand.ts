import { prepareTask } from '../../../config/level.ts';
import type { Config } from '../../../config/slots.ts';
import { makePlan, type Plan } from '../../plan.ts';
import { onBeat } from '../beat.ts';
import { makeCpuPolicy } from '../policy.ts';
import { isShown, loadMemory } from '../shown.ts';
import { Board } from './board.ts';
import { RowCore } from './rowCore.ts';
import type { RowMemory } from './rowMemory.ts';

/** What all cores see. */
export type Seen = { readonly memory: RowMemory; readonly board: SharedArrayBuffer };

/** Another core, as the one that trains knows it. */
export interface RowLink {
  open(config: Config, seen: Seen): Promise<void>;
  /** It takes part until the session is over; calls come in their order. */
  enter(session: number): void;
  /** It is free for something else. */
  close(): void;
}

/** What such a link tells a hand in another thread. */
export type RowMessage =
  | { readonly row: 'open'; readonly config: Config; readonly seen: Seen }
  | { readonly row: 'enter'; readonly session: number }
  | { readonly row: 'close' };

/** The plan of a run, on another core. */
export async function planAgain(config: Config): Promise<Plan> {
  await prepareTask(config);
  const plan = makePlan(config);
  if (!plan.ok) throw new Error('The plan of a run could not be made again on another core.');
  if (isShown(plan.value)) await loadMemory(plan.value);
  return plan.value;
}

/** The other end: a core that takes part in what another one does. */
export class RowHand {
  private core: RowCore | null = null;
  private board: Board | null = null;

  /** Does what a link says; a promise where something is opened. */
  hear(message: RowMessage): Promise<void> | undefined {
    if (message.row === 'open') return this.open(message.config, message.seen);
    if (message.row === 'enter') this.enter(message.session);
    else this.core = this.board = null;
    return undefined;
  }

  async open(config: Config, { memory, board: words }: Seen): Promise<void> {
    const plan = await planAgain(config);
    const board = new Board(words);
    const policy = makeCpuPolicy(plan, RowCore.floats(plan, true));
    this.core = new RowCore(plan, policy, { memory, board }, true);
    this.board = board;
  }

  /** Works until the session is over. Nothing else is heard meanwhile, so signs of life go over the board. */
  enter(session: number): void {
    const { core, board } = this;
    if (!core || !board?.isIn(session)) return;
    const before = onBeat(() => board.pulse());
    try {
      for (let calls = board.calls; board.isIn(session); calls = board.calls) {
        this.help(core, board, session);
        if (board.isIn(session)) board.sleep(calls);
      }
    } catch (error) {
      board.fail();
      throw error;
    } finally {
      onBeat(before);
    }
  }

  /** A job belongs to the session in which it was opened: one that this core turned to in the next is none of its own. */
  private help(core: RowCore, board: Board, session: number): void {
    while (board.turn() && board.isIn(session)) {
      try {
        core.begin();
      } catch (error) {
        // too late: the others are done, and the next job is being written where this one was read
        if (!board.isAtHand) continue;
        throw error;
      }
      for (let item = board.take(); item >= 0; item = board.take()) {
        core.do(item);
        board.finish();
      }
    }
  }
}
