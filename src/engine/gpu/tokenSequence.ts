import type { CommandList } from '../../gpu/recorder.ts';
import type { Pace, Submission } from './pace.ts';

/** One dispatch of `2^steps` steps of all trajectories, or for −k one step of each of 2^k pieces of them. */
export type StepSize = { readonly steps: number; readonly lists: readonly CommandList[] };

/** Steps of an episode, from the first to before the second; −1 stands for what comes before them. */
type StepRange = { readonly from: number; readonly to: number };
const ALL: StepRange = { from: -1, to: Infinity };

/** Of what belongs to a step only those in the range; copies that go with the first dispatch, and with the last. */
type Use = {
  readonly range?: StepRange;
  readonly before?: GPUCommandEncoder;
  readonly after?: (encoder: GPUCommandEncoder) => void;
};

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
    this.pace.steps.recorded(sizes[0]!.steps, sizes.at(-1)!.steps);
    this.parts.push({ T, sizes });
  }

  private sizeOf(sizes: readonly StepSize[]): StepSize {
    return sizes.findLast(({ steps }) => steps <= this.pace.steps.power) ?? sizes[0]!;
  }

  /** Dispatches of one run through all parts, at the pace of today. */
  get length(): number {
    return this.parts.reduce((n, part) => {
      if ('list' in part) return n + part.list.length * part.times;
      const { steps, lists } = this.sizeOf(part.sizes);
      return n + Math.ceil(part.T / 2 ** Math.max(0, steps)) * lists.length;
    }, 0);
  }

  /** Lists in order, as often as they run in a range; `isChunk`: a list that is one unit, since it is never divided. */
  private *runs(range: StepRange): Generator<{ list: CommandList; isChunk: boolean }> {
    for (const part of this.parts) {
      if ('list' in part) {
        if (part.t !== null && (part.t < range.from || part.t >= range.to)) continue;
        for (let k = 0; k < part.times; k++) yield { list: part.list, isChunk: false };
      } else {
        const { steps, lists } = this.sizeOf(part.sizes);
        const T = Math.min(part.T, range.to) - Math.max(0, range.from);
        const times = Math.ceil(T / 2 ** Math.max(0, steps));
        for (let k = 0; k < times * lists.length; k++) yield { list: lists[k % lists.length]!, isChunk: true };
      }
    }
  }

  /** Hands everything to the queue in order, in bounded pieces. */
  submit(device: GPUDevice, label: string, use: Use = {}): void {
    const { pace } = this;
    const runs = [...this.runs(use.range ?? ALL)];
    const units = runs.reduce((n, { list, isChunk }) => n + (isChunk ? 1 : list.length), 0);
    const ends = pace.begin(device.queue, units, () => firstEnds(runs));
    const out = new Outlet(device, label, pace, { ends, units, ...use });
    for (const { list, isChunk } of runs) {
      if (isChunk) {
        list.encode(out.open());
        out.took(1, 1, null);
        continue;
      }
      for (let from = 0; from < list.length;) {
        const pieces = pace.piecesOf(list, from);
        if (pieces > 1) {
          out.inPieces(list.cut(from, pieces), list.nameOf(from++));
          continue;
        }
        const most = Math.min(list.length, from + out.left);
        let to = from + 1;
        while (to < most && pace.piecesOf(list, to) === 1) to++;
        list.encode(out.open(), from, to);
        out.took(to - from, 0, list.nameOf(to - 1));
        from = to;
      }
    }
    out.flush();
    pace.end();
  }
}

/** Dispatches of a submission before any was measured. */
const FIRST_DISPATCHES = 16;

/** Every chunk of steps by itself, the rest in submissions of a few dispatches. */
function firstEnds(runs: readonly { list: CommandList; isChunk: boolean }[]): number[] {
  const ends: number[] = [];
  let [at, held] = [0, 0];
  const end = (): void => {
    if (held > 0) ends.push(at);
    held = 0;
  };
  for (const { list, isChunk } of runs) {
    if (isChunk) end();
    for (let k = 0; k < (isChunk ? 1 : list.length); k++) {
      at++;
      if (++held === FIRST_DISPATCHES) end();
    }
    if (isChunk) end();
  }
  end();
  return ends;
}

/** One use of the device: what is encoded is handed over where the pace says so. */
class Outlet {
  private readonly device: GPUDevice;
  private readonly label: string;
  private readonly pace: Pace;
  private readonly ends: readonly number[];
  private readonly units: number;
  private readonly after: Use['after'];
  private encoder: GPUCommandEncoder | null;
  /** units so far, and the segment of the next one */
  private at = 0;
  private segment = 0;
  /** what is encoded and not handed over */
  private held = { units: 0, chunks: 0, name: null as string | null };

  constructor(
    device: GPUDevice,
    label: string,
    pace: Pace,
    { ends, units, before, after }: Use & { readonly ends: readonly number[]; readonly units: number },
  ) {
    [this.device, this.label, this.pace] = [device, label, pace];
    [this.ends, this.units] = [ends, units];
    [this.after, this.encoder] = [after, before ?? null];
  }

  /** Units until the next submission ends. */
  get left(): number {
    return this.ends[this.segment]! - this.at;
  }

  open(): GPUCommandEncoder {
    return (this.encoder ??= this.device.createCommandEncoder({ label: this.label }));
  }

  /** So many units were encoded. */
  took(units: number, chunks: number, name: string | null): void {
    this.end(units);
    this.held = { units: this.held.units + units, chunks: this.held.chunks + chunks, name };
    this.advance(units);
  }

  /** A dispatch in pieces, each a submission. */
  inPieces(pieces: readonly ((encoder: GPUCommandEncoder) => void)[], name: string): void {
    this.flush();
    for (const [k, encode] of pieces.entries()) {
      encode(this.open());
      if (k === pieces.length - 1) this.end(1);
      this.submit({ segment: this.segment, alone: name, isPiece: true, units: 1, chunks: 0 });
    }
    this.advance(1);
  }

  /** So many units more: behind the last one comes what was asked for. */
  private end(units: number): void {
    if (this.at + units === this.units) this.after?.(this.open());
  }

  private advance(units: number): void {
    this.at += units;
    if (this.left > 0) return;
    this.flush();
    this.segment++;
  }

  flush(): void {
    const { units, chunks, name } = this.held;
    this.held = { units: 0, chunks: 0, name: null };
    if (units === 0) return;
    const alone = units === 1 && chunks === 0 ? name : null;
    this.submit({ segment: this.segment, alone, isPiece: false, units, chunks });
  }

  private submit(submission: Submission): void {
    const { queue } = this.device;
    queue.submit([this.open().finish()]);
    this.encoder = null;
    this.pace.mark(queue, submission);
  }
}
