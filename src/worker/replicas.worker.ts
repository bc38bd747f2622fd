import * as Comlink from 'comlink';
import type { Config } from '../config/slots.ts';
import { onBeat } from '../engine/cpu/beat.ts';
import { RowHand, type RowMessage } from '../engine/cpu/rows/rowHand.ts';
import { SentHand } from '../engine/cpu/rows/sentHand.ts';
import { buffersOf, type Left, type SentJob } from '../engine/cpu/rows/sentRows.ts';
import { CpuShare } from '../engine/cpu/share.ts';

const BEAT_MS = 1000;

/** What another core does: it trains some replicas of a run, or what is sent to it of the rows of one. */
class FarCore extends CpuShare {
  private readonly hand = new SentHand();

  openRows(config: Config): Promise<void> {
    return this.hand.open(config);
  }

  async doRows(sent: SentJob): Promise<Left> {
    const left = this.hand.do(sent);
    return Comlink.transfer(left, buffersOf(left));
  }

  async closeRows(): Promise<void> {
    this.hand.close();
  }
}
export type { FarCore };

/** Entry of a worker on another core. The first message has the port at which the one that trains reaches it. */
self.addEventListener('message', ({ data: { port } }: MessageEvent<{ port: MessagePort }>) => {
  const hand = new RowHand();
  // Comlink does not know these messages and leaves them alone
  port.addEventListener('message', ({ data }: MessageEvent<RowMessage | object>) => {
    if (!('row' in data)) return;
    const opening = hand.hear(data);
    opening?.then(
      () => port.postMessage('open'),
      (error: unknown) => reportError(error),
    );
  });
  // whoever waits for an answer to it is told
  port.addEventListener('messageerror', () =>
    reportError(new Error('What was sent to a worker cannot be read there.')),
  );
  let beatAt = -Infinity;
  // in the middle of an update it answers nobody, so it says by itself that it works
  onBeat(() => {
    const now = performance.now();
    if (now - beatAt < BEAT_MS) return;
    beatAt = now;
    port.postMessage('beat');
  });
  Comlink.expose(new FarCore(), port);
});
