import { drawnGraph, type DrawnGraph } from '../lab/analysis/graphChains.ts';
import { edgeMeans, trajectoryGraph, type TrajectoryGraph } from '../lab/analysis/graph.ts';
import { layoutGraph, type GraphLayout } from '../lab/analysis/graphLayout.ts';
import { partOf, type LogBatch } from './batch.ts';
import { NO_TEXT, type StepTable } from './table.ts';
import { shown } from './values.ts';

/** The episodes of a task as a graph of their states, laid out, with the words of states and actions. */
export type LogGraph = {
  readonly graph: TrajectoryGraph;
  readonly drawn: DrawnGraph;
  readonly layout: GraphLayout;
  /** [graph.nodes] */
  readonly names: readonly { readonly short: string; readonly long: string }[];
  readonly actions: readonly string[];
  /** [graph.edges] mean credit of the steps on each edge; 0 where no credit was asked for */
  readonly credit: Float32Array;
  /** first row of the task in the batch */
  readonly from: number;
  readonly episodes: number;
  readonly T: number;
};

/** States that are drawn one by one, and steps that a graph is made of. */
const MOST_NODES = 2000;
const MOST_STEPS = 60_000;

type Asked = {
  readonly task: number;
  readonly history: number;
  readonly open: readonly number[];
  readonly A: Float32Array | null;
};

/** A sentence where there is no graph: the log has no states or no actions, or there are too many of them. */
export function graphOf(table: StepTable, log: LogBatch, { task, history, open, A }: Asked): LogGraph | string {
  const { batch, fields, episode, start } = log;
  if (!fields.has('stateKey'))
    return 'A graph needs a state or an observation of every step, which this log does not hold.';
  const from = batch.taskIndex.indexOf(task);
  const to = batch.taskIndex.lastIndexOf(task) + 1;
  const part = partOf(batch, { from, to });
  const steps = part.length.reduce((a, b) => a + b, 0);
  if (steps > MOST_STEPS)
    return `The episodes of this task have ${steps.toLocaleString('en-US')} steps; a graph is drawn of at most ${MOST_STEPS.toLocaleString('en-US')}.`;
  const { action, actions } = numberedActions(table, log, from, to);
  const ends = fields.has('finalStateKey') ? part.finalStateKey : ownEnds(part.B);
  const graph = trajectoryGraph(
    { ...part, action, finalStateKey: ends, taskIndex: new Uint32Array(part.B) },
    0,
    history,
  );
  const drawn = drawnGraph(graph, new Set(open));
  if (drawn.nodes > MOST_NODES)
    return `The episodes of this task went through ${drawn.nodes.toLocaleString('en-US')} different states; at most ${MOST_NODES.toLocaleString('en-US')} are drawn. Another rule for when two states are the same makes them fewer.`;
  const isSource = Uint8Array.from(drawn.inside, (list) => (graph.starts[list[0]!]! > 0 ? 1 : 0));
  const weight = drawn.edge.map((e) => graph.memberStart[e + 1]! - graph.memberStart[e]!);
  const values = new Float32Array(part.B * part.T);
  if (A) for (let i = 0; i < part.B; i++) values.set(A.subarray(start[from + i]!, start[from + i + 1]!), i * part.T);
  const words = Array.from(graph.first, (v) => {
    const [i, t] = [Math.floor(v / (part.T + 1)), v % (part.T + 1)];
    const e = episode[from + i]!;
    const text = t < part.length[i]! ? table.state[table.start[e]! + t]! : table.finalText[e]!;
    return text === NO_TEXT ? `end of episode ${table.episodeNames[e]!}` : table.texts.text(text);
  });
  return {
    ...{ graph, drawn, layout: layoutGraph({ ...drawn, weight, isSource }), actions },
    ...{ names: named(words), credit: edgeMeans(graph, values), from, episodes: part.B, T: part.T },
  };
}

/** Where a log does not say in what state an episode ended, each ended in one of its own. */
const ownEnds = (B: number): Uint32Array =>
  Uint32Array.from({ length: 2 * B }, (_, k) => (k % 2 === 0 ? 0xffffffff : k));

/** [B, T] actions numbered from 0, and their words. */
function numberedActions(
  table: StepTable,
  { batch, episode }: LogBatch,
  from: number,
  to: number,
): { action: Uint32Array; actions: string[] } {
  const { T } = batch;
  const action = new Uint32Array((to - from) * T);
  const numbers = new Map<number, number>();
  for (let i = from; i < to; i++)
    for (let t = 0; t < batch.length[i]!; t++) {
      const text = table.action?.[table.start[episode[i]!]! + t] ?? NO_TEXT;
      if (!numbers.has(text)) numbers.set(text, numbers.size);
      action[(i - from) * T + t] = numbers.get(text)!;
    }
  return {
    action,
    actions: [...numbers.keys()].map((text) => (text === NO_TEXT ? 'step' : shown(table.texts.text(text), 40))),
  };
}

const SHORT = 26;

/** Short names without the words that most of them begin with, and long ones. */
function named(words: readonly string[]): LogGraph['names'] {
  const texts = words.map((text) => shown(text, 400));
  const firstWord = (text: string): string => text.split(' ', 1)[0]!;
  const count = new Map<string, number>();
  for (const text of texts) count.set(firstWord(text), (count.get(firstWord(text)) ?? 0) + 1);
  const [usual] = [...count].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ['', 1]);
  const alike = texts.filter((text) => firstWord(text) === usual);
  let common = alike[0] ?? '';
  for (const text of alike) while (!text.startsWith(common)) common = common.slice(0, -1);
  // whole words only
  const prefix = common.slice(0, common.lastIndexOf(' ') + 1);
  const rest = (text: string): string =>
    text.startsWith(prefix) && text.length > prefix.length ? text.slice(prefix.length) : text;
  return texts.map((text) => ({ short: shown(rest(text), SHORT), long: `“${shown(text, 200)}”` }));
}
