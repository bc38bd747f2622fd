import { drawnGraph } from '../../lab/analysis/graphChains.ts';
import { trajectoryGraph, type TrajectoryGraph } from '../../lab/analysis/graph.ts';
import { layoutGraph } from '../../lab/analysis/graphLayout.ts';
import { loadedEnv, type World } from '../stage/world.ts';
import type { Answer, Question } from './question.ts';
import { stateNames, type StateName } from './names.ts';

/** More nodes than this are not drawn one by one. */
const MOST = 5000;

/** Builds, folds, lays out and names a graph away from the page's own thread. */
onmessage = async ({ data }: MessageEvent<Question>): Promise<void> => {
  const world = await worldOf(data);
  let graph = trajectoryGraph(data.batch, 0, data.history);
  let open = new Set(data.open);
  let drawn = drawnGraph(graph, open);
  let merged: Answer['merged'] = null;
  if (drawn.nodes > MOST && data.history > 0) {
    merged = { nodes: drawn.nodes, by: 'state' };
    graph = trajectoryGraph(data.batch, 0, 0);
    drawn = drawnGraph(graph, open);
  }
  if (drawn.nodes > MOST && world) {
    merged = { nodes: merged?.nodes ?? drawn.nodes, by: 'place' };
    graph = trajectoryGraph(byPlace(data, world), 0, 0);
    open = new Set();
    drawn = drawnGraph(graph, open);
  }
  const isSource = Uint8Array.from(drawn.inside, (list) => (graph.starts[list[0]!]! > 0 ? 1 : 0));
  const weight = drawn.edge.map((e) => graph.memberStart[e + 1]! - graph.memberStart[e]!);
  const layout = layoutGraph({ ...drawn, weight, isSource });
  const answer: Answer = { id: data.id, graph, drawn, layout, names: namesOf(data, world, graph), merged };
  postMessage(answer);
};

async function worldOf({ source }: Question): Promise<World | null> {
  const env = source && (await loadedEnv(source));
  if (!env) return null;
  const level = env.level(source.settings, source.rewards, source.levelSeed);
  return level.ok ? { env, level: level.value, source } : null;
}

function namesOf({ state, words }: Question, world: World | null, graph: TrajectoryGraph): StateName[] {
  if (world && world.env.words === words)
    return stateNames(
      world,
      state,
      Array.from(graph.first, (v) => v * words),
    );
  // states of another shape than the world knows have no words of their own
  return Array.from(graph.first, (_, v) => ({ short: String(v + 1), long: `state ${v + 1}` }));
}

/** The same walk with states told apart only by where the agent is. */
function byPlace({ batch, state, words }: Question, { env }: World): Question['batch'] {
  const { B, T, length } = batch;
  const stateKey = new Uint32Array(B * T * 2);
  const finalStateKey = new Uint32Array(B * 2);
  for (let i = 0; i < B; i++) {
    for (let t = 0; t <= length[i]!; t++) {
      const cell = env.cell(state, (i * (T + 1) + t) * words + words - env.words);
      if (t < length[i]!) stateKey[2 * (i * T + t)] = cell;
      else finalStateKey[2 * i] = cell;
    }
  }
  return { ...batch, stateKey, finalStateKey };
}
