import { columnOf, type Batch } from '../../../contract/columns.ts';
import type { Alone, Credit, CreditOps, Explanation, GpuCredit, Made } from '../../types.ts';
import { creditOpsOf, dataOf } from '../creditOps.ts';
import { preferenceLoss } from '../oprl/preference.ts';
import type { ProcessModel, StepScore } from '../types.ts';
import { sumOfParts } from '../trajectoryCredit.ts';
import { irregular, learnsAlone } from '../tryAlone.ts';
import { formulaColumns } from './columns.ts';
import { evaluate } from './evaluate.ts';
import { explainFormula } from './explainFormula.ts';
import { faultText, readFormula, type Formula } from './formula.ts';
import { scratchFloats } from './scratch.ts';

/** What the estimator that is a text asks of the language: loaded where a formula is met. */

/** How a process model learns whose log-probabilities a formula reads: as OPRL's does by default. */
const PROCESS: ProcessModel = {
  settings: () => ({ beta: 0.05, score: 'sum', rate: 2, clipNorm: 10 }),
  loss: preferenceLoss,
};

/** A formula without faults; whoever asks has checked that. */
function formulaOf(text: string): Formula {
  const reading = readFormula(text);
  if (!reading.ok) throw new Error(`This formula cannot be read: ${faultText(text, reading.faults[0])}.`);
  return reading.formula;
}

/** What the estimator reads and gives with this text, or why it cannot be read. */
export function madeOf(text: string): Made {
  const reading = readFormula(text);
  if (!reading.ok) {
    const message = `cannot be read at ${faultText(text, reading.faults[0])}`;
    return { ok: false, setting: 'text', message };
  }
  const { needs, readsValues, parts } = reading.formula;
  const names = parts.map(({ name }) => name);
  return {
    ok: true,
    facts: {
      needs,
      critic: readsValues,
      parts: names,
      ...(needs.includes('logpPhi') ? { process: PROCESS } : {}),
      ...(needs.includes('processScore') ? { scores: (): StepScore => ({ of: 'exact', gamma: 1 }) } : {}),
    },
  };
}

/** What it makes of groups of one episode, found by trying. */
export function aloneWith(text: string, tasks: number): Alone {
  const run = (batch: Batch): Credit => runFormula({ ...othersOf(batch), ...batch }, text);
  return readFormula(text).ok ? learnsAlone({ run }, {}, tasks) : 'anyway';
}

/** Columns that only some runs have, with numbers without a pattern. */
function othersOf({ B, T }: Batch): Partial<Batch> {
  const sizes = { task: B, row: B, step: B * T, stepAndEnd: B * (T + 1) };
  const numbers = formulaColumns.map(({ name }, k) => {
    const n = sizes[columnOf(name).per as keyof typeof sizes]; // formulas know no others
    return [name, Float32Array.from({ length: n }, (_, at) => irregular(at + 7 * k))] as const;
  });
  return Object.fromEntries(numbers);
}

/** True if a run on a device can compute it there; a text with a fault is not computed at all. */
export function isOnGpu(text: string): boolean {
  const reading = readFormula(text);
  return !reading.ok || reading.formula.onGpu;
}

export function scratchOfText(text: string): number {
  const reading = readFormula(text);
  return reading.ok ? scratchFloats(reading.formula) : 0;
}

/** The definition: the formula on plain arrays. Parts add up before the one rounding. */
export function runFormula(batch: Batch, text: string): Credit {
  const { A, parts, target } = evaluate(formulaOf(text), creditOpsOf(batch));
  const plain = parts && Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, dataOf(part)]));
  return {
    A: plain ? sumOfParts(plain) : dataOf(A),
    ...(plain ? { parts: plain } : {}),
    ...(target ? { target: dataOf(target) } : {}),
  };
}

/** The same recorded on a device. */
export const formulaOnGpu = (ops: CreditOps, text: string): GpuCredit => evaluate(formulaOf(text), ops);

export const explainText = (batch: Batch, text: string, step: number): Explanation =>
  explainFormula(formulaOf(text), batch, step);
