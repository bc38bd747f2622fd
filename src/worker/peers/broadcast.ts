import { shortName } from '../../config/digest.ts';
import type { Plan } from '../../engine/plan.ts';
import { wrappersOf } from '../../slots/wrapper/registry.ts';
import { PeerLine, type OpenWire } from './line.ts';

const broadcast: OpenWire = (hear) => {
  const channel = new BroadcastChannel('horizon-lab peers');
  channel.onmessage = ({ data }: MessageEvent<unknown>) => hear(data);
  return { post: (text) => channel.postMessage(text), close: () => channel.close() };
};

/** A line to the other tabs of this browser, by a name that chance gives this tab: it trains nothing. */
export function lineToTabs(): PeerLine {
  const name = crypto.getRandomValues(new Uint32Array(4)).reduce((text, word) => text + word.toString(36), '');
  return new PeerLine(broadcast, name);
}

/** Short name of the world that a plan plays in: who has the same can play each other's actions again. */
export function worldName({ config: { task, reward }, env }: Plan): Promise<string> {
  const wrappers = wrappersOf(task).map(({ module, params }) => [module.id, params]);
  return shortName({ world: env.id, settings: task[task.method], rewards: reward[env.id], wrappers });
}
