import type { TableBuilder } from './builder.ts';
import type { Mapping, Role } from './types.ts';
import { isAbsent, numberOf, shown, sumOf, textOf } from './values.ts';

/** The value of a column in a row. */
export type Cells = (column: string) => unknown;

const NUMBERS = [
  'step',
  'reward',
  'outcome',
  'success',
  'terminated',
  'greedy',
  'nextValue',
  'entropy',
  'value',
  'scoreNorm',
  'logpPhi',
] as const satisfies readonly Role[];
const TEXTS = ['update', 'task', 'episode'] as const satisfies readonly Role[];
const AGENTS: ReadonlySet<string> = new Set(['assistant', 'agent', 'ai', 'model', 'gpt', 'policy']);
const OTHERS: ReadonlySet<string> = new Set([
  'user',
  'human',
  'system',
  'tool',
  'environment',
  'env',
  'observation',
  'function',
  'ipython',
  'developer',
]);

export const isAgent = (who: string): boolean => AGENTS.has(who.trim().toLowerCase());
export const isSpeaker = (who: unknown): boolean =>
  typeof who === 'string' && (isAgent(who) || OTHERS.has(who.trim().toLowerCase()));

/** Reads rows of which each is a step, by the columns of their roles. */
export class RowsReader {
  protected readonly builder: TableBuilder;
  protected readonly mapping: Mapping;

  constructor(builder: TableBuilder, mapping: Mapping) {
    this.builder = builder;
    this.mapping = mapping;
  }

  /** Takes a row in; null, or why it cannot be read. */
  take(cells: Cells, line: number): string | null {
    const why = this.fill(cells, line);
    if (why !== null) return why;
    this.builder.add();
    return null;
  }

  protected cell(cells: Cells, role: Role): unknown {
    const column = this.mapping[role];
    return column === undefined ? undefined : cells(column);
  }

  /** Writes a row into the record of the builder. */
  protected fill(cells: Cells, line: number): string | null {
    const { step } = this.builder;
    step.clear();
    step.line = line;
    for (const role of TEXTS) {
      const value = this.cell(cells, role);
      // true and false are columns of the same name that mean something else
      step[role] = textOf(value) ?? '';
    }
    if (step.episode === '' && this.mapping.episode !== undefined) return `it has no ${shown(this.mapping.episode)}`;
    for (const role of NUMBERS) {
      const value = this.cell(cells, role);
      const x = numberOf(value);
      if (x === null) return `“${shown(this.mapping[role]!)}” is not a number: ${shown(textOf(value) ?? '', 40)}`;
      if (role === 'step') step.order = x;
      else step[role] = x;
    }
    const logp = this.cell(cells, 'logp');
    // a list that was written into a field of a table is still a list
    const x = sumOf(typeof logp === 'string' && logp.startsWith('[') ? listIn(logp) : logp);
    if (x === null) return `“${shown(this.mapping.logp!)}” is neither a number nor a list of numbers`;
    step.logp = x;
    step.state = textOf(this.cell(cells, 'state'));
    step.next = textOf(this.cell(cells, 'next'));
    step.action = textOf(this.cell(cells, 'action'));
    step.text = textOf(this.cell(cells, 'text'));
    if (step.action === null && this.mapping.action === undefined) step.action = step.text;
    return null;
  }
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Reads rows of which each is one message of a conversation. What an agent says is a step; what others have said since its
 * last step is the observation it acts on. A reward on another's message belongs to the step before it.
 */
export class TurnsReader extends RowsReader {
  private readonly heard = new Map<number, string>();

  override take(cells: Cells, line: number): string | null {
    const { builder } = this;
    const why = this.fill(cells, line);
    if (why !== null) return why;
    const { step } = builder;
    const who = this.cell(cells, 'source');
    if (!isSpeaker(who)) return `nobody knows who “${shown(textOf(who) ?? '', 30)}” is: an agent, a user or a tool`;
    const i = builder.episodeOfStep();
    if (isAgent(who as string)) {
      step.state ??= this.heard.get(i) ?? '';
      this.heard.delete(i);
      builder.add();
      return null;
    }
    builder.tell(i);
    if (!Number.isNaN(step.reward)) builder.pay(i, step.reward);
    if (who === 'system' || isAbsent(step.text)) return null;
    const before = this.heard.get(i);
    this.heard.set(i, before === undefined ? step.text! : `${before}\n${step.text!}`);
    return null;
  }

  /** What was heard after the last step is the state that the episode ended in. */
  finish(): void {
    for (const [i, text] of this.heard) this.builder.end(i, text);
  }
}
