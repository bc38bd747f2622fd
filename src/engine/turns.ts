import { versionOf } from './behavior.ts';
import type { Plan, Tasks } from './plan.ts';

/**
 * A batch of several versions as turns, oldest version first: in a turn one version of every replica plays, and every
 * episode goes on where it is until the step from which a newer version plays it. Weights never become older within an
 * episode, so that each of its steps falls into one turn.
 */
export type Turn = {
  /** [S] version that plays */
  readonly versions: readonly number[];
  /** [S, B, 2] steps that an episode plays, if it lives so long: from the first number to before the second */
  readonly spans: Uint32Array<ArrayBuffer>;
  /** the same over all episodes */
  readonly from: number;
  readonly to: number;
};

/** Where the versions of a task group begin: version, and the first step it plays. */
type Part = { readonly version: number; readonly from: number };

/** The turns in which the batch of an update is played. A replica with fewer versions than others rests in the last ones. */
export function turnsOf(plan: Pick<Plan, 'S' | 'B' | 'T' | 'seeds' | 'behavior'>, tasks: Tasks): Turn[] {
  const { S, B, T } = plan;
  const parts = Array.from({ length: S }, (_, s) => partsOf(plan, tasks, s));
  const versions = parts.map((groups) => {
    const all = new Set([...groups.values()].flatMap((group) => group.map(({ version }) => version)));
    return [...all].sort((a, b) => a - b);
  });
  const turns = Math.max(...versions.map((of) => of.length));
  return Array.from({ length: turns }, (_, k) => {
    const spans = new Uint32Array(2 * S * B);
    let [from, to] = [T, 0];
    for (let row = 0; row < S * B; row++) {
      const s = Math.floor(row / B);
      const group = parts[s]!.get(tasks.taskIndex[row]!)!;
      const own = group.findIndex(({ version }) => version === versions[s]![k]);
      if (own < 0) continue;
      const span = [group[own]!.from, group[own + 1]?.from ?? T] as const;
      spans.set(span, 2 * row);
      [from, to] = [Math.min(from, span[0]), Math.max(to, span[1])];
    }
    return { versions: versions.map((of) => of[Math.min(k, of.length - 1)]!), spans, from, to };
  });
}

/** A row that does not play in a phase. */
export const RESTS = 0xffffffff;

/** The spans of a turn, or the whole episodes of T steps, as far as the rows of a phase play them, and over all of them. */
export function within<T extends Pick<Turn, 'spans'>>(turn: T, begins: Uint32Array): T & Pick<Turn, 'from' | 'to'> {
  const spans = turn.spans.slice();
  let [from, to] = [Infinity, 0];
  begins.forEach((begin, row) => {
    const first = Math.max(spans[2 * row]!, begin);
    const end = spans[2 * row + 1]!;
    // episodes play until the end of their span wherever they are
    spans.set(first < end ? [first, end] : [begin === RESTS ? RESTS : 0, 0], 2 * row);
    if (first < end) [from, to] = [Math.min(from, first), Math.max(to, end)];
  });
  return { ...turn, spans, from: Math.min(from, to), to };
}

function partsOf(
  plan: Pick<Plan, 'B' | 'T' | 'seeds' | 'behavior'>,
  { update, taskIndex }: Tasks,
  s: number,
): Map<number, readonly Part[]> {
  const { B, T, seeds } = plan;
  const groups = new Map<number, readonly Part[]>();
  for (const task of taskIndex.subarray(s * B, (s + 1) * B)) {
    if (groups.has(task)) continue;
    const group: Part[] = [];
    for (let t = 0; t < T; t++) {
      const version = versionOf(plan, seeds[s]!, update, task, t);
      if (version !== group.at(-1)?.version) group.push({ version, from: t });
    }
    groups.set(task, group);
  }
  return groups;
}
