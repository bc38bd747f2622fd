import type { CommandList } from '../../gpu/recorder.ts';

/** Dispatches of one submission: some tens of milliseconds on a slow laptop, after which the page may draw. */
const MOST = 400;

/** Lists that run one after the other, each as often as it is needed: a chunk is recorded once and runs for all chunks. */
export class Sequence {
  private readonly parts: { readonly list: CommandList; readonly times: number }[] = [];

  /** Adds a list; returns it to be filled. */
  add(list: CommandList, times = 1): CommandList {
    this.parts.push({ list, times });
    return list;
  }

  /** Dispatches of one run through all parts. */
  get length(): number {
    return this.parts.reduce((n, { list, times }) => n + list.length * times, 0);
  }

  /** Hands everything to the queue in order, in pieces between whole lists. */
  submit(device: GPUDevice, label: string): void {
    let encoder = device.createCommandEncoder({ label });
    let held = 0;
    for (const { list, times } of this.parts) {
      for (let k = 0; k < times; k++) {
        list.encode(encoder);
        held += list.length;
        if (held < MOST) continue;
        device.queue.submit([encoder.finish()]);
        encoder = device.createCommandEncoder({ label });
        held = 0;
      }
    }
    if (held > 0) device.queue.submit([encoder.finish()]);
  }
}
