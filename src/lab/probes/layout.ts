import { PURPOSE, random } from '../../core/random.ts';
import type { Scene, SceneCell } from '../../envs/types.ts';
import type { Kind } from './mlp.ts';
import { AHEAD, type Moment } from './sample.ts';

const classOf = ({ ground, item }: SceneCell): string => item ?? ground;

/** Steps after which the place of the agent is asked for. */
const PATH = [2, 8] as const;

/** What is asked about a moment besides its cells; `k`: steps ahead. */
export type Asked = { readonly what: 'agent' | 'goal' | 'subgoal' | 'path' | 'action'; readonly k: number };

/** Heads of a read-out in their order: the cells that differ between levels, then what else is asked. */
export type Layout = {
  readonly names: readonly string[];
  readonly cells: readonly number[];
  readonly width: number;
  readonly asked: readonly Asked[];
  readonly heads: readonly number[];
};

export function layoutOf(moments: readonly Moment[], actions: number): Layout {
  const { width, cells: first } = moments[0]!.scene;
  const names = [...new Set(moments.flatMap(({ scene }) => scene.cells.map(classOf)))].sort();
  const differs = (cell: number): boolean =>
    moments.some(({ scene }) => classOf(scene.cells[cell]!) !== classOf(first[cell]!));
  const cells = first.map((_, cell) => cell).filter(differs);
  const goals = new Set(moments.map(({ scene }) => goalOf(scene)));
  const hasGoal = !goals.has(-1) && goals.size > 1;
  const passed = new Set(moments.map((moment) => moment.passed));
  const asked: Asked[] = [
    { what: 'agent', k: 0 },
    ...(hasGoal ? [{ what: 'goal', k: 0 } as const] : []),
    ...PATH.map((k) => ({ what: 'path', k }) as const),
    ...(passed.size > 1 ? [{ what: 'subgoal', k: 0 } as const] : []),
    ...Array.from({ length: AHEAD }, (_, k) => ({ what: 'action', k }) as const),
  ];
  const classes = { agent: first.length, goal: first.length, path: first.length, action: actions };
  return {
    ...{ names, cells, width, asked },
    heads: [
      ...cells.map(() => names.length),
      ...asked.map(({ what }) => (what === 'subgoal' ? Math.max(...passed) + 1 : classes[what])),
    ],
  };
}

/** Heads of a kind, which a read-out with a hidden layer tells from one such layer: cells, places, plans. */
export function kindsOf({ cells, asked, heads }: Layout): Kind[] {
  const places = asked.findIndex(({ what }) => what === 'path');
  const ends = [cells.length, cells.length + places, heads.length];
  return ends
    .map((end, k) => ({ first: k === 0 ? 0 : ends[k - 1]!, end, isOne: k === 0 }))
    .filter(({ first, end }) => end > first);
}

export const labelOf = (names: readonly string[], cell: SceneCell): number => names.indexOf(classOf(cell));

/** Index of the head that tells this; −1: it is not asked. */
export function headOf({ cells, asked }: Layout, what: Asked['what']): number {
  const at = asked.findIndex((one) => one.what === what);
  return at < 0 ? -1 : cells.length + at;
}

const isGoal = ({ item }: SceneCell): boolean => item === 'goal' || item === 'exit';

/** The cell of the only goal or exit of a map; −1: there is none, or more than one. */
function goalOf({ cells }: Scene): number {
  const first = cells.findIndex(isGoal);
  return first >= 0 && cells.findIndex((cell, k) => k > first && isGoal(cell)) < 0 ? first : -1;
}

/**
 * Cells of all classes count alike, however rare a class is: balanced accuracy asks for that. The weights of a class are the
 * same on all cells.
 */
export function weightsOf({ names, cells, heads }: Layout, labels: Int16Array, rows: number): (Float32Array | null)[] {
  const counts = new Float32Array(names.length);
  for (let n = 0; n < rows; n++) for (let h = 0; h < cells.length; h++) counts[labels[n * heads.length + h]!]!++;
  const present = counts.filter((count) => count > 0).length;
  const weights = counts.map((count) => (count > 0 ? (rows * cells.length) / (present * count) : 0));
  return heads.map((_, h) => (h < cells.length ? weights : null));
}

export function labelsOf({ names, cells, asked }: Layout, moments: readonly Moment[]): Int16Array {
  const told = ({ scene, places, passed, actions }: Moment, { what, k }: Asked): number => {
    switch (what) {
      case 'agent':
        return scene.agent.cell;
      case 'goal':
        return goalOf(scene);
      case 'path':
        return places[k]!;
      case 'subgoal':
        return passed;
      case 'action':
        return actions[k]!;
    }
  };
  return Int16Array.from(
    moments.flatMap((moment) => [
      ...cells.map((cell) => labelOf(names, moment.scene.cells[cell]!)),
      ...asked.map((one) => told(moment, one)),
    ]),
  );
}

/** Every row gets the answers of another one of its part; parts end at these rows. */
export function shuffled(labels: Int16Array, heads: number, ends: readonly number[], draw: () => number): Int16Array {
  const order = Array.from({ length: labels.length / heads }, (_, n) => n);
  ends.forEach((end, part) => {
    const begin = part === 0 ? 0 : ends[part - 1]!;
    for (let n = end - 1; n > begin; n--) {
      const m = begin + Math.floor(draw() * (n - begin + 1));
      [order[n], order[m]] = [order[m]!, order[n]!];
    }
  });
  return Int16Array.from(order.flatMap((n) => [...labels.subarray(n * heads, (n + 1) * heads)]));
}

/**
 * Answers of a control task (Hewitt & Liang, arXiv 1909.03368): for every place of the agent and head a table holds an
 * answer, drawn once, which is that of some row, so that answers are as frequent as in truth. Nobody can know them; a
 * read-out that learns them from the place of the agent would learn anything.
 */
export function controlOf(labels: Int16Array, heads: number, places: readonly number[], seed: number): Int16Array {
  const N = places.length;
  const table = new Map<number, number>();
  const drawn = (place: number, h: number): number => {
    const key = place * heads + h;
    let label = table.get(key) ?? -1;
    for (let a = 0; label < 0; a++) {
      const row = Math.floor((random(seed, PURPOSE.probeControl, place, h, a) / 2 ** 32) * N);
      label = labels[row * heads + h]!;
    }
    table.set(key, label);
    return label;
  };
  return labels.map((label, k) => (label < 0 ? -1 : drawn(places[Math.floor(k / heads)]!, k % heads)));
}
