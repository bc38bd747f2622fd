import type { Keying } from './keys.ts';
import { Grown } from './grown.ts';
import { NO_TEXT, STEP_NUMBERS } from './table.ts';
import { hashText } from './textHash.ts';
import { TextPool } from './textPool.ts';
import { shown } from './values.ts';

/** Steps that are held at once, and bytes of texts. */
export const MOST_STEPS = 2 ** 21;
const TEXT_BYTES = 96 * 2 ** 20;
const LONGEST_NAME = 300;

/** One step as a reader fills it in: the same record for every step of a log. NaN and null: the log does not say. */
export class StepRecord {
  update = '';
  task = '';
  episode = '';
  order = NaN;
  reward = NaN;
  outcome = NaN;
  success = NaN;
  terminated = NaN;
  greedy = NaN;
  nextValue = NaN;
  logp = NaN;
  entropy = NaN;
  value = NaN;
  scoreNorm = NaN;
  logpPhi = NaN;
  state: string | null = null;
  next: string | null = null;
  action: string | null = null;
  text: string | null = null;
  line = 0;

  clear(): void {
    this.update = this.task = this.episode = '';
    this.order = this.reward = this.outcome = this.success = this.terminated = this.greedy = NaN;
    this.nextValue = this.logp = this.entropy = this.value = this.scoreNorm = this.logpPhi = NaN;
    this.state = this.next = this.action = this.text = null;
    this.line = 0;
  }
}

/** Steps of a log as they are read, in typed arrays: nothing is kept per step but numbers. */
export class TableBuilder {
  readonly step = new StepRecord();
  /** put before the line where an episode is named after it: the file, where there are several */
  file = '';
  readonly texts = new TextPool(TEXT_BYTES);
  readonly tasks: string[] = [];
  readonly updates: string[] = [];
  readonly episodes: string[] = [];
  /** [steps] */
  readonly episodeOf = new Grown(Uint32Array);
  readonly order = new Grown(Float64Array);
  readonly reward = new Grown(Float32Array);
  readonly line = new Grown(Uint32Array);
  readonly state = new Grown(Uint32Array);
  readonly action = new Grown(Uint32Array);
  readonly said = new Grown(Uint32Array);
  readonly keys = new Grown(Uint32Array);
  readonly numbers = new Map(STEP_NUMBERS.map((name) => [name, new Grown(Float32Array)] as const));
  /** [episodes] */
  readonly taskOf = new Grown(Uint32Array);
  readonly outcome = new Grown(Float32Array);
  readonly success = new Grown(Uint8Array);
  readonly terminated = new Grown(Uint8Array);
  readonly finalValue = new Grown(Float32Array);
  readonly finalText = new Grown(Uint32Array);
  readonly finalKey = new Grown(Uint32Array);
  private readonly lastRow = new Grown(Uint32Array);
  private readonly lastOrder = new Grown(Float64Array);
  /** [tasks] */
  readonly greedy = new Grown(Float32Array);
  readonly updateOf = new Grown(Uint32Array);
  private readonly keying: Keying;
  private readonly most: number;
  private readonly updateByName = new Map<string, number>();
  private readonly taskByName = new Map<string, number>();
  private readonly episodeByName = new Map<string, number>();
  private readonly word = new Uint32Array(2);
  private newest = { update: '', task: '', episode: '', at: -1 };

  constructor(keying: Keying, most = MOST_STEPS) {
    this.keying = keying;
    this.most = most;
  }

  get size(): number {
    return this.episodeOf.size;
  }

  get isFull(): boolean {
    return this.size >= this.most;
  }

  /** The episode that the record names; a new one where there was none of this name. */
  episodeOfStep(): number {
    const { update, task, episode } = this.step;
    const { newest } = this;
    if (newest.at >= 0 && newest.episode === episode && newest.task === task && newest.update === update)
      return newest.at;
    const u = this.updateNamed(update.slice(0, LONGEST_NAME));
    const group = `${u}\u0000${task}`;
    let g = this.taskByName.get(group);
    if (g === undefined) {
      g = this.tasks.length;
      this.taskByName.set(group, g);
      this.tasks.push(nameOf(update, task));
      this.updateOf.push(u);
      this.greedy.push(NaN);
    }
    const name = `${g}\u0000${episode}`;
    let i = this.episodeByName.get(name);
    if (i === undefined) {
      i = this.episodes.length;
      this.episodeByName.set(name, i);
      this.episodes.push(episode.slice(0, LONGEST_NAME));
      this.taskOf.push(g);
      for (const array of [this.outcome, this.finalValue]) array.push(NaN);
      for (const array of [this.success, this.terminated]) array.push(2);
      this.finalText.push(NO_TEXT);
      this.finalKey.push(0);
      this.finalKey.push(0);
      this.lastRow.push(NO_TEXT);
      this.lastOrder.push(-1);
    }
    this.newest = { update, task, episode, at: i };
    return i;
  }

  private updateNamed(update: string): number {
    const found = this.updateByName.get(update);
    if (found !== undefined) return found;
    this.updateByName.set(update, this.updates.length);
    return this.updates.push(update) - 1;
  }

  /** Takes the step in; its row, −1 where there is no room. */
  add(): number {
    if (this.isFull) return -1;
    const { step } = this;
    const i = this.episodeOfStep();
    const row = this.size;
    const order = Number.isNaN(step.order) ? this.lastOrder.at(i) + 1 : step.order;
    this.episodeOf.push(i);
    this.order.push(order);
    this.reward.push(step.reward);
    this.line.push(step.line);
    this.state.push(this.numberOf(step.state));
    this.action.push(this.numberOf(step.action));
    this.said.push(this.numberOf(step.text));
    if (step.state === null) this.word.fill(0);
    else hashText(this.keying.keyOf(step.state, this.taskOf.at(i)), this.word, 0);
    this.keys.push(this.word[0]!);
    this.keys.push(this.word[1]!);
    for (const [name, array] of this.numbers) array.push(step[name]);
    if (order >= this.lastOrder.at(i)) {
      this.lastOrder.put(i, order);
      this.lastRow.put(i, row);
    }
    this.tell(i);
    if (step.next !== null && order >= this.lastOrder.at(i)) this.end(i, step.next);
    return row;
  }

  /** What the record says of its whole episode and task. */
  tell(i: number): void {
    const { outcome, success, terminated, greedy, nextValue } = this.step;
    if (!Number.isNaN(outcome)) this.outcome.put(i, outcome);
    if (!Number.isNaN(success)) this.success.put(i, success > 0 ? 1 : 0);
    if (!Number.isNaN(terminated)) this.terminated.put(i, terminated > 0 ? 1 : 0);
    if (!Number.isNaN(nextValue)) this.finalValue.put(i, nextValue);
    if (!Number.isNaN(greedy)) this.greedy.put(this.taskOf.at(i), greedy);
  }

  /** The state that an episode has ended in, as far as it is known. */
  end(i: number, text: string): void {
    this.finalText.put(i, this.texts.take(text));
    hashText(this.keying.keyOf(text, this.taskOf.at(i)), this.word, 0);
    this.finalKey.put(2 * i, this.word[0]!);
    this.finalKey.put(2 * i + 1, this.word[1]!);
  }

  /** A reward that came after the newest step of an episode. False where it has no step yet. */
  pay(i: number, reward: number): boolean {
    const row = this.lastRow.at(i);
    if (row === NO_TEXT) return false;
    const before = this.reward.at(row);
    this.reward.put(row, (Number.isNaN(before) ? 0 : before) + reward);
    return true;
  }

  private numberOf(text: string | null): number {
    return text === null ? NO_TEXT : this.texts.take(text);
  }
}

/** How a task is called where it is shown. */
const nameOf = (update: string, task: string): string => {
  const name = shown(task === '' ? 'all episodes' : task, LONGEST_NAME);
  return update === '' ? name : `${name} (update ${shown(update, 40)})`;
};
