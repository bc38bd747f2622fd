import type { Scene, SceneCell } from '../../envs/types.ts';
import { AHEAD, type Moment } from './sample.ts';

const classOf = ({ ground, item }: SceneCell): string => item ?? ground;

/** Heads of a read-out in their order: the cells that differ between levels, the agent, the goal, the actions. */
export type Layout = {
  readonly names: readonly string[];
  readonly cells: readonly number[];
  readonly width: number;
  readonly hasGoal: boolean;
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
  const places = first.length;
  return {
    ...{ names, cells, width, hasGoal },
    heads: [
      ...cells.map(() => names.length),
      places,
      ...(hasGoal ? [places] : []),
      ...Array.from({ length: AHEAD }, () => actions),
    ],
  };
}

export const labelOf = (names: readonly string[], cell: SceneCell): number => names.indexOf(classOf(cell));

/** The cell of the only goal of a map; −1: there is none, or more than one. */
function goalOf({ cells }: Scene): number {
  const first = cells.findIndex(({ item }) => item === 'goal');
  return first >= 0 && cells.findIndex(({ item }, k) => k > first && item === 'goal') < 0 ? first : -1;
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

export function labelsOf({ names, cells, hasGoal }: Layout, moments: readonly Moment[]): Int16Array {
  return Int16Array.from(
    moments.flatMap(({ scene, actions }) => [
      ...cells.map((cell) => labelOf(names, scene.cells[cell]!)),
      scene.agent.cell,
      ...(hasGoal ? [goalOf(scene)] : []),
      ...actions,
    ]),
  );
}
