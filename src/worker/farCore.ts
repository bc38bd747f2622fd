import type { Config } from '../config/slots.ts';
import { RowHand, type Played } from '../engine/cpu/rows/rowHand.ts';
import type { RowMemory } from '../engine/cpu/rows/rowMemory.ts';
import { CpuShare } from '../engine/cpu/share.ts';

/** What another core does for a run: it trains some of its replicas, or takes part in the rows of one. */
export class FarCore extends CpuShare {
  private readonly hand = new RowHand();

  openRows(config: Config, memory: RowMemory): Promise<void> {
    return this.hand.open(config, memory);
  }

  enterRows(session: number, played: Played | null): void {
    this.hand.enter(session, played);
  }

  closeRows(): void {
    this.hand.close();
  }
}
