import type { Run } from '../../engine/run.ts';
import type { PeerLine, PeerStatus } from './line.ts';

/** What a line says of itself that nobody has opened; most never load what one is made of. */
const CLOSED: PeerStatus = { isOpen: false, seen: 0, sent: 0, taken: 0, refused: 0, ignored: 0 };

/** Whether the runs of this worker hear of other tabs: never, unless somebody has said so. */
export class Sharing {
  private line: PeerLine | null = null;
  private joined: Run | null = null;

  /** Opens or closes the line, or with null leaves it as it is. What it has to say of itself. */
  async set(isWanted: boolean | null, run: Run | null): Promise<PeerStatus> {
    if (isWanted === true) {
      this.line ??= (await import('./broadcast.ts')).lineToTabs();
      this.line.open();
    } else if (isWanted === false) this.line?.close();
    if (run) await this.join(run);
    return this.line?.status ?? CLOSED;
  }

  /** This run trains from now on. */
  async join(run: Run): Promise<void> {
    const { line } = this;
    run.peers = line;
    if (!line || this.joined === run) return;
    this.joined = run;
    const { worldName } = await import('./broadcast.ts');
    const name = await worldName(run.plan);
    if (this.joined === run) line.join(name);
  }
}
