import type { CommandList } from '../../gpu/recorder.ts';
import type { Pace } from './pace.ts';

/** One dispatch of `2^steps` steps of all trajectories, or for −k one step of each of 2^k pieces of them. */
export type StepSize = { readonly steps: number; readonly lists: readonly CommandList[] };

/** Steps of an episode, from the first to before the second; −1 stands for what comes before them. */
type StepRange = { readonly from: number; readonly to: number };
const ALL: StepRange = { from: -1, to: Infinity };

type Part =
  | { readonly list: CommandList; readonly times: number; readonly t: number | null }
  | { readonly T: number; readonly sizes: readonly StepSize[] };

/**
 * Lists that run one after the other, each as often as it is needed: a chunk is recorded once and runs for all chunks.
 * What is handed to the device at once is bounded by the pace of the work, see pace.ts; results do not depend on it.
 */
export class Sequence {
  readonly pace: Pace;
  private readonly parts: Part[] = [];

  constructor(pace: Pace) {
    this.pace = pace;
  }

  /** Adds a list; returns it to be filled. `t`: the step it belongs to, where single steps may be asked for. */
  add(list: CommandList, times = 1, t: number | null = null): CommandList {
    this.parts.push({ list, times, t });
    return list;
  }

  /** Adds T steps of all trajectories, recorded in several sizes of which the pace chooses one, largest last. */
  addSteps(T: number, sizes: readonly StepSize[]): void {
    this.parts.push({ T, sizes });
  }

  private sizeOf(sizes: readonly StepSize[]): StepSize {
    return sizes.findLast(({ steps }) => steps <= this.pace.steps) ?? sizes[0]!;
  }

  /** Dispatches of one run through all parts, at the pace of today. */
  get length(): number {
    return this.parts.reduce((n, part) => {
      if ('list' in part) return n + part.list.length * part.times;
      const { steps, lists } = this.sizeOf(part.sizes);
      return n + Math.ceil(part.T / 2 ** Math.max(0, steps)) * lists.length;
    }, 0);
  }

  /** Hands everything to the queue in order, in bounded pieces; of what belongs to a step only those in the range. */
  submit(device: GPUDevice, label: string, range = ALL): void {
    const { pace } = this;
    const { queue } = device;
    let encoder: GPUCommandEncoder | null = null;
    let held = 0;
    const open = (): GPUCommandEncoder => (encoder ??= device.createCommandEncoder({ label }));
    const flush = (alone: string | null = null): void => {
      if (!encoder) return;
      queue.submit([encoder.finish()]);
      pace.mark(queue, alone);
      encoder = null;
      held = 0;
    };
    const encodePieces = (list: CommandList, k: number, pieces: number): void => {
      flush();
      for (const encodePiece of list.cut(k, pieces)) {
        encodePiece(open());
        flush(list.nameOf(k));
      }
    };
    const encode = (list: CommandList): void => {
      for (let from = 0; from < list.length;) {
        const pieces = pace.piecesOf(list, from);
        if (pieces > 1) {
          encodePieces(list, from++, pieces);
          continue;
        }
        const most = Math.min(list.length, from + pace.dispatches - held);
        let to = from + 1;
        while (to < most && pace.piecesOf(list, to) === 1) to++;
        list.encode(open(), from, to);
        held += to - from;
        from = to;
        if (held >= pace.dispatches) flush(held === 1 ? list.nameOf(to - 1) : null);
      }
    };
    const encodeSteps = (list: CommandList): void => {
      list.encode(open());
      held += list.length;
      if (held >= pace.dispatches) flush();
    };
    pace.begin(queue);
    for (const part of this.parts) {
      if ('list' in part) {
        if (part.t !== null && (part.t < range.from || part.t >= range.to)) continue;
        for (let k = 0; k < part.times; k++) encode(part.list);
      } else {
        const { steps, lists } = this.sizeOf(part.sizes);
        const T = Math.min(part.T, range.to) - Math.max(0, range.from);
        const times = Math.ceil(T / 2 ** Math.max(0, steps));
        for (let k = 0; k < times * lists.length; k++) {
          if (k > 0) flush();
          encodeSteps(lists[k % lists.length]!);
        }
      }
    }
    flush();
    pace.end();
  }
}
