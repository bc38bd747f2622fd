import type { PolicyCase } from '../conformance.ts';
import { MemoNetwork } from './memoNetwork.ts';
import { memoLayout, type MemoShape } from './shape.ts';

/** What a network reads at every step of an episode that it plays, by the names of the golden file. */
export function memoGolden({ params }: PolicyCase): Record<string, readonly number[]> {
  const [steps, segment, summary, accumulate] = ['steps', 'segment', 'summary', 'accumulate'].map(
    (name) => params[name] as number,
  ) as [number, number, number, number];
  const shape: MemoShape = {
    ...{ features: 3, width: 4, heads: 2, layers: 2, hidden: 4, gate: 'none', gateBias: 0, actions: 1, critic: false },
    ...{ segment, summary, keep: accumulate === 1 ? Math.ceil(steps / segment) : 1 },
  };
  const layout = memoLayout(shape);
  const network = new MemoNetwork(shape, layout);
  const memory = new Float32Array(network.memory);
  const obs = new Uint32Array(steps + 1).map((_, t) => t % 8);
  const read = Array.from({ length: steps }, (_, t) => {
    network.clear();
    network.read({ obs, written: new Uint32Array(0), T: steps, obsWords: 1, memory, recalls: true }, 0, t);
    network.forward(new Float32Array(layout.size), 0);
    return network.context();
  });
  return {
    segment: read.map((step) => step.segment),
    summaryTokens: read.map((step) => step.summaries),
    rawSteps: read.map((step) => step.steps),
    context: read.map((step) => step.summaries + step.steps),
    writesSummary: read.map((step) => Number(step.writes)),
  };
}
