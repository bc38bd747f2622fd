import { TOLD_MS } from '../contract/kept.ts';
import type { Checkpoint, Run } from '../engine/run.ts';
import type { Kept, Ping, Sign } from './protocol.ts';

/** A worker in the middle of long work says this often that it works. */
const BEAT_MS = 1000;
/** What the page keeps of a run is never older than this, except where an update itself takes longer. */
const KEEP_MS = 10_000;
/** A larger state is not copied to the page: its run is repeated from the start. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The worker's end of what the page holds on to: signs of life, and now and then the state of the run, so that another
 * worker can continue when this one is gone. `others` answers when everybody who works for this worker is alive too.
 */
export class Lifeline {
  private readonly port: MessagePort | undefined;
  private beatAt = -Infinity;
  private keptAt = -Infinity;
  /** updates whose curves the page has */
  private sent = 0;

  constructor(port: MessagePort | undefined, others: () => Promise<unknown>) {
    this.port = port;
    if (!port) return;
    port.onmessage = ({ data }: MessageEvent<Ping>) => {
      void others().then(() => this.say({ kind: 'pong', ping: data.ping }));
    };
    this.beat(0);
  }

  /** Called as often as one likes, also from the middle of work. */
  beat(now: number): void {
    if (now - this.beatAt < BEAT_MS) return;
    this.beatAt = now;
    this.say({ kind: 'beat' });
  }

  /** True where the page should be given the state before an update, even if no checkpoint is due. */
  isDue(now: number, update: number): boolean {
    return update !== this.sent && now - this.keptAt >= KEEP_MS;
  }

  /** Another run, or the same one from an earlier update: what the page has after it no longer counts. */
  goBack(update: number): void {
    this.sent = Math.min(this.sent, update);
  }

  /** Gives the page the state of a run between two updates; `isLast`: nothing else will be given for some time. */
  keep(id: number, run: Run, checkpoint: Checkpoint, now: number, isLast: boolean): void {
    if (!isLast && now - this.keptAt < TOLD_MS) return;
    this.keptAt = now;
    if (bytesOf(checkpoint) > MOST_BYTES) return;
    const { update } = checkpoint.state;
    const from = Math.min(this.sent, update);
    const kept: Kept = { run: id, checkpoint, trainedOn: run.trainedOn, curves: run.series.part(from, update) };
    this.sent = update;
    this.say({ kind: 'kept', kept });
  }

  private say(sign: Sign): void {
    this.port?.postMessage(sign);
  }
}

function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + bytesOf(part), 0);
}
