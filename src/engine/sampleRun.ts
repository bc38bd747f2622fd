import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import type { MakeBackend, UpdateRecord } from './backend.ts';
import { createRun, type Run } from './run.ts';

/** For tests: a run of the default experiment with some changes, on the CPU path unless told otherwise. */
export async function sampleRun(changes: Readonly<Record<string, unknown>>, make?: MakeBackend): Promise<Run> {
  return must(await createRun(configWith(changes), make));
}

/** Trains the given number of updates; what they recorded. */
export async function train(run: Run, updates: number): Promise<UpdateRecord[]> {
  const records: UpdateRecord[] = [];
  for (let u = 0; u < updates; u++) records.push(await run.submit());
  return records;
}
