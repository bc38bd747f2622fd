import type { Plan } from '../../engine/plan.ts';
import { panelLevels } from '../../engine/plan.ts';
import { makeNetwork } from '../../networks/policy.ts';
import { beliefOf, mapOf, type Belief, type DecodedMap } from './decoded.ts';
import { drawsOf, fitProbe, type Probe, type ProbeData } from './fit.ts';
import { labelsOf, layoutOf, weightsOf } from './layout.ts';
import { takeMoments, type Player } from './sample.ts';
import { rowsOf, type Answers, type ProbeRow } from './scores.ts';

/**
 * What a linear read-out of the policy's last hidden layer tells on levels that neither the policy nor the read-out was
 * trained on, beside three controls: the same of a network that never learned, of the observation of that step alone, and
 * with the answers of other levels (Alain & Bengio, arXiv 1610.01644; selectivity: Hewitt & Liang, arXiv 1909.03368).
 */
export type ProbesResult = {
  /** levels that the read-out learned from, and levels that it was asked about */
  readonly learned: number;
  readonly asked: number;
  /** numbers of the hidden layer */
  readonly width: number;
  readonly classes: readonly string[];
  /** what is told, in the order in which it is shown */
  readonly rows: readonly ProbeRow[];
  /** the first levels that were asked about, cell by cell */
  readonly maps: readonly DecodedMap[];
  readonly belief: Belief | null;
};

const MOST = 1024;
/** Levels of a task with few of them would be learned by heart. */
const LEAST = 60;
const MAPS = 4;

/** Columns with mean 0 and deviation 1 over the rows that are learned from. */
function standardized(rows: readonly Float32Array[], train: readonly number[]): Float32Array {
  const D = rows[0]!.length;
  const out = new Float32Array(rows.length * D);
  for (let d = 0; d < D; d++) {
    let [sum, squares] = [0, 0];
    for (const n of train) {
      sum += rows[n]![d]!;
      squares += rows[n]![d]! ** 2;
    }
    const mean = sum / train.length;
    const scale = Math.sqrt(Math.max(0, squares / train.length - mean * mean));
    rows.forEach((row, n) => (out[n * D + d] = scale > 1e-6 ? (row[d]! - mean) / scale : 0));
  }
  return out;
}

/** Plays, reads and asks. Yields the share that is done; a sentence where nothing can be asked. */
export function* measureProbes(
  run: Plan,
  replica: number,
  player: Player,
  untrained: Float32Array,
  levels: number,
): Generator<number, ProbesResult | string> {
  if (!makeNetwork(run.policy).hidden) return 'This network has no hidden layer that could be read.';
  const seeds = panelLevels(run, replica, Math.max(LEAST, Math.min(MOST, levels)));
  if (seeds.length < LEAST)
    return `This task has ${seeds.length === 1 ? 'one level' : `${seeds.length} levels`} only, which a read-out would learn by heart: it needs ${LEAST}. Set the levels to 0, a new one for each task.`;
  const playing = takeMoments(run, seeds, replica, { player, untrained });
  let played = playing.next();
  for (; !played.done; played = playing.next()) yield 0.15 * played.value;
  const moments = played.value;
  const cellCount = moments[0]!.scene.cells.length;
  if (moments.some(({ scene }) => scene.cells.length !== cellCount))
    return 'The maps of this task differ in size: there is no cell that all of them have.';
  const layout = layoutOf(moments, run.actions);
  const N = moments.length;
  const [first, second] = [Math.floor(0.6 * N), Math.floor(0.8 * N)];
  const rows = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);
  const split = { train: rows(0, first), stop: rows(first, second), seed: run.seeds[replica]! };
  const labels = labelsOf(layout, moments);
  const weights = weightsOf(layout, labels, first);
  const inputs = {
    policy: standardized(
      moments.map(({ hidden }) => hidden),
      split.train,
    ),
    untrained: standardized(
      moments.map((m) => m.untrained),
      split.train,
    ),
    observation: standardized(
      moments.map((m) => m.observation),
      split.train,
    ),
  };
  const kinds = ['policy', 'untrained', 'observation', 'shuffled'] as const;
  const answers = {} as { -readonly [kind in keyof Answers]: Int16Array };
  for (const [k, kind] of kinds.entries()) {
    const own = inputs[kind === 'shuffled' ? 'policy' : kind];
    const data: ProbeData = {
      ...{ N, D: own.length / N, inputs: own, heads: layout.heads },
      weights,
      labels: kind === 'shuffled' ? shuffled(labels, layout.heads.length, N, split.seed) : labels,
    };
    const fitting = fitProbe(data, split);
    let next = fitting.next();
    for (; !next.done; next = fitting.next()) yield 0.15 + (0.85 * (k + next.value)) / kinds.length;
    answers[kind] = saidBy(next.value, own, layout.heads.length, rows(second, N));
  }
  const asked = moments.slice(second);
  const truth = labels.subarray(second * layout.heads.length);
  return {
    ...{ learned: second, asked: asked.length, width: moments[0]!.hidden.length, classes: layout.names },
    rows: rowsOf(layout, asked, truth, answers, split.seed),
    maps: asked.slice(0, MAPS).map((moment, n) => mapOf(layout, moment, answers.policy, n)),
    belief: beliefOf(layout, asked, answers.policy, run.env.actions(run.level(seeds[0]!))),
  };
}

/** Every row gets the answers of another one. */
function shuffled(labels: Int16Array, heads: number, N: number, seed: number): Int16Array {
  const draw = drawsOf(seed);
  const order = Array.from({ length: N }, (_, n) => n);
  for (let n = N - 1; n > 0; n--) {
    const m = Math.floor(draw() * (n + 1));
    [order[n], order[m]] = [order[m]!, order[n]!];
  }
  return Int16Array.from(order.flatMap((n) => [...labels.subarray(n * heads, (n + 1) * heads)]));
}

/** [rows, heads] what the read-out says. */
function saidBy(probe: Probe, inputs: Float32Array, heads: number, rows: readonly number[]): Int16Array {
  const out = new Int16Array(rows.length * heads);
  const one = new Int16Array(heads);
  rows.forEach((n, k) => {
    probe.classes(inputs, n, one);
    out.set(one, k * heads);
  });
  return out;
}
