import type { Problem } from '../core/problem.ts';
import { MOST_BYTES } from '../contract/kept.ts';
import type { Spill } from '../engine/curveRows.ts';
import type { Plan } from '../engine/plan.ts';
import { CURVES } from '../slots/metrics/metrics.ts';
import type { CurveTrouble } from '../store/curveFile.ts';

/** Where the older curves of the long runs of one worker go. */
export class Spilling {
  private readonly tell: (problem: Problem) => void;
  private readonly keeps: boolean;
  private file: Promise<Spill> | null = null;

  /** `keeps`: false where nothing may be stored. */
  constructor(tell: (problem: Problem) => void, keeps: boolean) {
    this.tell = tell;
    this.keeps = keeps;
  }

  /** Null for a run whose curves have room in memory. */
  async of({ S, updates }: Plan): Promise<Spill | null> {
    if (4 * updates * S * CURVES <= MOST_BYTES) return null;
    this.file ??= this.open();
    return this.file;
  }

  private async open(): Promise<Spill> {
    const { curveFile, noPlace } = await import('../store/curveFile.ts');
    const tell = (kind: CurveTrouble): void => this.tell({ kind });
    return (this.keeps ? await curveFile(tell) : null) ?? noPlace(tell);
  }
}

/** Text in one piece is not made of fewer characters than this. */
const PIECE = 2 ** 22;

/** A table as a file: what is made of it goes to the browser, which need not keep it in memory. */
export function tableOf(pieces: Iterable<string>): Blob {
  const parts: Blob[] = [];
  let texts: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    texts.push(piece);
    length += piece.length;
    if (length < PIECE) continue;
    parts.push(new Blob(texts));
    [texts, length] = [[], 0];
  }
  return new Blob([...parts, ...texts], { type: 'text/csv' });
}
