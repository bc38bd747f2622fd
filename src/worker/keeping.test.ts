import { expect, test, vi } from 'vitest';
import type { Run } from '../engine/run.ts';
import { History } from './history.ts';
import { Keeping } from './keeping.ts';

const told = vi.hoisted(() => [] as string[]);
vi.mock('./keeper.ts', () => ({
  Keeper: class {
    take = (_: unknown, state: string): void => void told.push(state);
    note = (state: string): void => void told.push(state);
  },
}));
vi.stubGlobal('indexedDB', {});

const run = { config: {}, backend: { kind: 'cpu' } } as unknown as Run;
const now = { checkpoint: { state: { update: 3, steps: 30, tensors: {} }, chain: [] }, history: new History() };

test('a run that makes a single update is kept as one that waits: whoever continues it is not taken to its end', async () => {
  const keeping = new Keeping(() => undefined, true);
  keeping.goesOn = false;
  keeping.take(run, now, 'running', true);
  await vi.waitFor(() => expect(told).toEqual(['paused']));
  keeping.goesOn = true;
  keeping.note(run, 'running', null);
  keeping.goesOn = false;
  keeping.note(run, 'finished', null);
  await vi.waitFor(() => expect(told).toEqual(['paused', 'running', 'finished']));
});
