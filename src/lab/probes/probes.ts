import type { Plan } from '../../engine/plan.ts';
import { panelLevels } from '../../engine/plan.ts';
import { makeNetwork } from '../../networks/policy.ts';
import { beliefOf, mapOf, type Belief, type DecodedMap } from './decoded.ts';
import { drawsOf, type Probe, type ProbeData } from './fit.ts';
import { controlOf, kindsOf, labelsOf, layoutOf, shuffled, weightsOf, type Layout } from './layout.ts';
import { fitLinear } from './linear.ts';
import { fitMlp } from './mlp.ts';
import { takeMoments, type Moment, type Player } from './sample.ts';
import { rowsOf, type Answers, type ProbeRow } from './scores.ts';

/** What one kind of read-out tells. */
export type ReadOut = {
  /** what is told, in the order in which it is shown */
  readonly rows: readonly ProbeRow[];
  /** the first levels that were asked about, cell by cell */
  readonly maps: readonly DecodedMap[];
  readonly belief: Belief | null;
};

/**
 * What a read-out of a hidden layer of the policy, the last or an earlier one, tells on levels that neither the policy nor the read-out was trained on,
 * beside controls: the same of a network that never learned, of the observation of that step alone, with the answers of other
 * levels, and with answers that nobody can know (Alain & Bengio, arXiv 1610.01644; selectivity: Hewitt & Liang, arXiv
 * 1909.03368). The linear one tells what stands in the layer, the one with a hidden layer of its own also what would have to
 * be computed from it.
 */
export type ProbesResult = {
  /** levels that the read-out learned from, and levels that it was asked about */
  readonly learned: number;
  readonly asked: number;
  /** numbers of the hidden layer that was read, which one it is, from 1, and how many can be */
  readonly width: number;
  readonly layer: number;
  readonly layers: number;
  readonly classes: readonly string[];
  readonly linear: ReadOut;
  readonly mlp: ReadOut;
};

const MOST = 1024;
/** Levels of a task with few of them would be learned by heart. */
const LEAST = 60;
const MAPS = 4;

/** [rows, columns] the columns that vary over the rows that are learned from, with mean 0 and deviation 1 there. */
function standardized(rows: readonly Float32Array[], train: readonly number[]): Float32Array {
  const D = Math.max(...rows.map((row) => row.length));
  const columns: { readonly d: number; readonly mean: number; readonly scale: number }[] = [];
  for (let d = 0; d < D; d++) {
    let [sum, squares] = [0, 0];
    for (const n of train) {
      const x = rows[n]![d] ?? 0;
      sum += x;
      squares += x ** 2;
    }
    const mean = sum / train.length;
    const scale = Math.sqrt(Math.max(0, squares / train.length - mean * mean));
    if (scale > 1e-6) columns.push({ d, mean, scale });
  }
  // a read-out of nothing still has a column
  if (columns.length === 0) return new Float32Array(rows.length);
  return Float32Array.from(rows.flatMap((row) => columns.map(({ d, mean, scale }) => ((row[d] ?? 0) - mean) / scale)));
}

/** Plays, reads and asks. Yields the share that is done; a sentence where nothing can be asked. */
export function* measureProbes(
  run: Plan,
  replica: number,
  player: Player,
  untrained: Float32Array,
  { levels, layer }: { readonly levels: number; readonly layer: number },
): Generator<number, ProbesResult | string> {
  const network = makeNetwork(run.policy);
  if (!network.hidden) return 'This network has no hidden layer that could be read.';
  const seeds = panelLevels(run, replica, Math.max(LEAST, Math.min(MOST, levels)));
  if (seeds.length < LEAST)
    return `This task has ${seeds.length === 1 ? 'one level' : `${seeds.length} levels`} only, which a read-out would learn by heart: it needs ${LEAST}. Set the levels to 0, a new one for each task.`;
  const layers = network.depths?.().length ?? 1;
  const back = layer >= 1 && layer < layers ? layers - layer : 0;
  const playing = takeMoments(run, seeds, replica, { player, untrained, back });
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
  const inputs = (of: (moment: Moment) => Float32Array): Float32Array => standardized(moments.map(of), split.train);
  const policy = inputs(({ hidden }) => hidden);
  const truth = labelsOf(layout, moments);
  const [heads, seed] = [layout.heads.length, split.seed];
  const control = controlOf(
    truth,
    heads,
    moments.map(({ scene }) => scene.agent.cell),
    seed,
  );
  const tasks = {
    policy: { inputs: policy, labels: truth },
    untrained: { inputs: inputs((moment) => moment.untrained), labels: truth },
    observation: { inputs: inputs((moment) => moment.observation), labels: truth },
    shuffled: { inputs: policy, labels: shuffled(truth, heads, [first, second, N], drawsOf(seed)) },
    control: { inputs: policy, labels: control },
  };
  const kinds = Object.keys(tasks) as (keyof Answers)[];
  const told: ReadOut[] = [];
  for (const [f, fit] of [fitLinear, mlpOf(layout)].entries()) {
    const answers = {} as { -readonly [kind in keyof Answers]: Int16Array };
    for (const [k, kind] of kinds.entries()) {
      const { inputs: own, labels } = tasks[kind];
      const weights = weightsOf(layout, labels, first);
      const fitting = fit({ N, D: own.length / N, inputs: own, heads: layout.heads, labels, weights }, split);
      let next = fitting.next();
      for (; !next.done; next = fitting.next()) {
        const share = (k + next.value) / kinds.length;
        yield f === 0 ? 0.15 + 0.25 * share : 0.4 + 0.6 * share;
      }
      answers[kind] = saidBy(next.value, own, heads, rows(second, N));
    }
    const asked = moments.slice(second);
    const right = { truth: truth.subarray(second * heads), control: control.subarray(second * heads) };
    told.push({
      rows: rowsOf(layout, asked, right, answers, seed),
      maps: asked.slice(0, MAPS).map((moment, n) => mapOf(layout, moment, answers.policy, n)),
      belief: beliefOf(layout, asked, answers.policy, run.env.actions(run.level(seeds[0]!))),
    });
  }
  const [linear, mlp] = told as [ReadOut, ReadOut];
  const width = moments[0]!.hidden.length;
  const read = { width, layer: layers - back, layers };
  return { learned: second, asked: N - second, ...read, classes: layout.names, linear, mlp };
}

const mlpOf =
  (layout: Layout): typeof fitLinear =>
  (data: ProbeData, fitting) =>
    fitMlp(data, kindsOf(layout), fitting);

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
