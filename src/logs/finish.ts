import type { TableBuilder } from './builder.ts';
import { NO_TEXT, STEP_NUMBERS, type StepNumber, type StepTable } from './table.ts';
import { hashText } from './textHash.ts';
import { shown } from './values.ts';

/** A finished table with the sentences about it, or the one of why there is none. */
export type Finished =
  | { readonly ok: true; readonly table: StepTable; readonly notes: readonly string[] }
  | { readonly ok: false; readonly sentence: string };

type Ends = { readonly sharesEnds: boolean; readonly isCut: boolean };

const many = (n: number, one: string, more = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : more}`;

/**
 * The table of all steps that were read. `isCut`: the log was longer, so the task that was read last may be incomplete and
 * is left out. `sharesEnds`: episodes of equal outcome end in one state where the log does not say in which.
 */
export function finish(b: TableBuilder, { sharesEnds, isCut }: Ends): Finished {
  if (b.size === 0) return { ok: false, sentence: 'No step was found in it.' };
  const notes: string[] = [];
  const order = orderOf(b);
  const doubled = firstDouble(b, order);
  if (doubled) return { ok: false, sentence: doubled };
  const nothing = 'No step has a reward and no episode an outcome. Name the column that holds one.';
  const isSaid = (values: Float32Array): boolean => values.some((x) => !Number.isNaN(x));
  if (!isSaid(b.reward.all()) && !isSaid(b.outcome.all())) return { ok: false, sentence: nothing };
  const last = isCut ? b.taskOf.at(b.episodeOf.at(b.size - 1)) : -1;
  if (isCut)
    notes.push(
      `The log is longer than what is held at once: the first ${b.size.toLocaleString('en-US')} steps were read, up to the last task that is complete.`,
    );
  const kept = keptEpisodes(b, order, last, notes);
  if (kept.length === 0)
    return {
      ok: false,
      sentence: 'Its first task alone is longer than what is held at once. Split the log into several files by task.',
    };
  const table = assemble(b, order, kept);
  if (b.texts.dropped > 0)
    notes.push(
      `The texts of this log are more than is kept to be shown: ${many(b.texts.dropped, 'text is', 'texts are')} not shown. Credit is not affected.`,
    );
  return { ok: true, table: sharesEnds ? withSharedEnds(table) : table, notes };
}

/** Rows by task, episode and order of the step; what came first stays first. */
function orderOf(b: TableBuilder): Uint32Array {
  const n = b.size;
  const episodes = b.episodes.length;
  const updateOf = (i: number): number => b.updateOf.at(b.taskOf.at(i));
  // episodes of an update, and in it of a task, together, in the order in which they were met
  const rank = new Uint32Array(episodes);
  const byTask = Uint32Array.from({ length: episodes }, (_, i) => i).sort(
    (x, y) => updateOf(x) - updateOf(y) || b.taskOf.at(x) - b.taskOf.at(y) || x - y,
  );
  byTask.forEach((i, at) => (rank[i] = at));
  const start = new Uint32Array(episodes + 1);
  for (let k = 0; k < n; k++) start[rank[b.episodeOf.at(k)]! + 1]!++;
  for (let i = 0; i < episodes; i++) start[i + 1]! += start[i]!;
  const free = start.slice();
  const order = new Uint32Array(n);
  for (let k = 0; k < n; k++) order[free[rank[b.episodeOf.at(k)]!]!++] = k;
  for (let i = 0; i < episodes; i++) {
    const rows = order.subarray(start[i]!, start[i + 1]!);
    let isSorted = true;
    for (let k = 1; k < rows.length && isSorted; k++) isSorted = b.order.at(rows[k]!) >= b.order.at(rows[k - 1]!);
    if (!isSorted) rows.sort((x, y) => b.order.at(x) - b.order.at(y) || x - y);
  }
  return order;
}

function firstDouble(b: TableBuilder, order: Uint32Array): string | null {
  for (let k = 1; k < order.length; k++) {
    const [x, y] = [order[k - 1]!, order[k]!];
    if (b.episodeOf.at(x) !== b.episodeOf.at(y) || b.order.at(x) !== b.order.at(y)) continue;
    const name = shown(b.episodes[b.episodeOf.at(x)]!);
    return `Episode “${name}” has step ${b.order.at(x)} twice, in lines ${b.line.at(x)} and ${b.line.at(y)}. Another column may tell its episodes or steps apart.`;
  }
  return null;
}

type Kept = { readonly i: number; readonly from: number; readonly to: number; readonly R: number };

/**
 * The episodes that have a return, with their places in the order. A step without a reward has 0; where no step of the log
 * has one, the outcome is the reward of the last step. The return is the outcome where one is said, else the sum.
 */
function keptEpisodes(b: TableBuilder, order: Uint32Array, last: number, notes: string[]): Kept[] {
  const reward = b.reward.all();
  const isPaid = reward.some((r) => !Number.isNaN(r));
  const list: Kept[] = [];
  let [missing, different] = [0, 0];
  for (let from = 0; from < order.length;) {
    const i = b.episodeOf.at(order[from]!);
    let [to, sum, paid] = [from, 0, 0];
    for (; to < order.length && b.episodeOf.at(order[to]!) === i; to++) {
      const row = order[to]!;
      if (Number.isNaN(reward[row]!)) reward[row] = 0;
      else paid++;
      sum += reward[row]!;
    }
    const said = b.outcome.at(i);
    const isKnown = !Number.isNaN(said);
    if (b.taskOf.at(i) !== last) {
      if (isKnown || paid > 0) list.push({ i, from, to, R: isKnown ? said : sum });
      else missing++;
      if (isKnown && isPaid && Math.abs(said - sum) > 1e-4 * Math.max(1, Math.abs(said))) different++;
      if (isKnown && !isPaid) reward[order[to - 1]!] = said;
    }
    from = to;
  }
  if (!isPaid) notes.push('Only whole episodes have an outcome: it counts as the reward of their last step.');
  if (missing > 0)
    notes.push(
      `${many(missing, 'episode has', 'episodes have')} neither a reward nor an outcome and ${missing === 1 ? 'is' : 'are'} left out.`,
    );
  if (different > 0)
    notes.push(
      `In ${many(different, 'episode')} the rewards of the steps do not add up to the outcome: estimators that compare outcomes read the outcome, the others the rewards.`,
    );
  return list;
}

function assemble(b: TableBuilder, order: Uint32Array, list: readonly Kept[]): StepTable {
  const start = new Uint32Array(list.length + 1);
  list.forEach(({ from, to }, k) => (start[k + 1] = start[k]! + to - from));
  const rows = new Uint32Array(start[list.length]!);
  list.forEach(({ from, to }, k) => rows.set(order.subarray(from, to), start[k]!));
  const episode = Uint32Array.from(list, ({ i }) => i);
  // tasks that lost all their episodes are gone
  const number = new Map<number, number>();
  const task = Uint32Array.from(list, ({ i }) => {
    const g = b.taskOf.at(i);
    if (!number.has(g)) number.set(g, number.size);
    return number.get(g)!;
  });
  const own = Uint32Array.from(number.keys());
  const numbers: Partial<Record<StepNumber, Float32Array>> = {};
  for (const name of STEP_NUMBERS) {
    const values = b.numbers.get(name)!.picked(rows);
    if (values.every((x) => !Number.isNaN(x))) numbers[name] = values;
  }
  const state = b.state.picked(rows);
  const action = b.action.picked(rows);
  const isWhole = (texts: Uint32Array): boolean => texts.every((text) => text !== NO_TEXT);
  const words = (from: Uint32Array, at: Uint32Array): Uint32Array => {
    const result = new Uint32Array(2 * at.length);
    at.forEach((k, to) => {
      result[2 * to] = from[2 * k]!;
      result[2 * to + 1] = from[2 * k + 1]!;
    });
    return result;
  };
  return {
    ...{ steps: rows.length, episodes: list.length, tasks: own.length, start, task },
    outcome: Float32Array.from(list, ({ R }) => R),
    success: b.success.picked(episode),
    terminated: b.terminated.picked(episode),
    finalText: b.finalText.picked(episode),
    finalKey: words(b.finalKey.all(), episode),
    finalValue: b.finalValue.picked(episode),
    greedy: b.greedy.picked(own),
    update: b.updateOf.picked(own),
    episodeNames: list.map(({ i }) => b.episodes[i]!),
    taskNames: Array.from(own, (g) => b.tasks[g]!),
    reward: b.reward.picked(rows),
    numbers,
    stateKey: isWhole(state) ? words(b.keys.all(), rows) : null,
    state,
    action: isWhole(action) ? action : null,
    said: b.said.picked(rows),
    line: b.line.picked(rows),
    texts: b.texts,
  };
}

/** Where the log does not say in what state an episode ended: in one that all of its task with the same outcome share. */
function withSharedEnds(table: StepTable): StepTable {
  const finalKey = table.finalKey.slice();
  const finalText = table.finalText.slice();
  table.finalText.forEach((text, i) => {
    if (text !== NO_TEXT) return;
    const words = `the end, outcome ${Number(table.outcome[i]!.toPrecision(6))}`;
    finalText[i] = table.texts.take(words);
    hashText(`\u0000${words}`, finalKey, 2 * i);
  });
  return { ...table, finalKey, finalText };
}
