import { expect, test } from 'vitest';
import { Board } from './board.ts';

/** Two cores on one board. */
function two(): readonly [Board, Board] {
  const memory = Board.memory();
  return [new Board(memory), new Board(memory)];
}

test('items of a job are taken once each, by whoever asks first', () => {
  const [first, other] = two();
  first.prepare();
  expect(other.turn()).toBe(false); // it is not open yet
  first.open(3);
  expect(other.turn()).toBe(true);
  expect([other.take(), first.take(), other.take(), first.take(), other.take()]).toEqual([0, 1, 2, -1, -1]);
  expect(other.turn()).toBe(false); // nothing is left of it
  other.raise(1);
  for (let k = 0; k < 3; k++) other.finish();
  first.await(3, () => undefined);
  expect(first.flags).toBe(1);
});

test('a core that comes late takes nothing of the next job before it has turned to it', () => {
  const [first, late] = two();
  first.prepare();
  first.open(2);
  expect(late.turn()).toBe(true);
  first.take();
  first.take();
  first.prepare();
  expect(late.take()).toBe(-1);
  first.open(5);
  expect(late.take()).toBe(-1);
  expect(late.turn()).toBe(true);
  expect(late.take()).toBe(0);
  expect(first.flags).toBe(0);
});

test('who sleeps wakes with the end of a session, and sleeps not at all where something came meanwhile', () => {
  const [first, other] = two();
  first.setSession(7);
  const { calls } = other;
  expect(other.isIn(7)).toBe(true);
  first.setSession(0);
  expect(other.isIn(7)).toBe(false);
  other.sleep(calls); // returns at once: there has been a call
  expect(other.calls).toBe(calls + 1);
});

test('whoever waits for a core that never answers is told', () => {
  const memory = Board.memory();
  const [first, other] = [new Board(memory, 1), new Board(memory)];
  first.prepare();
  first.open(1);
  other.turn();
  other.take();
  expect(() => first.await(1, () => undefined)).toThrow('A worker on another core stopped without a reason.');
});

test('whoever waits for a core that failed is told', () => {
  const [first, other] = two();
  first.prepare();
  first.open(2);
  other.turn();
  other.take();
  other.fail();
  expect(() => first.await(2, () => undefined)).toThrow('A worker on another core failed in the middle of an update.');
});
