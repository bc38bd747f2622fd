import { expect, test } from 'vitest';
import { softmaxRows, type LogitRows } from '../core/math/distribution.ts';
import { actionTree, Units } from './units.ts';

test('a row among many is decided, read and described as it is alone', () => {
  const [n, count, stride] = [5, 3, 4];
  const out = Float32Array.from({ length: 2 + n * stride }, (_, i) => ((i * 7) % 11) - 5);
  const legal = Uint32Array.of(0b111, 0b101, 0b010, 0b110, 0b111);
  const asked: boolean[] = [];
  const counted = (rows: LogitRows, ...rest: [number, Parameters<typeof softmaxRows>[2], boolean]): void => {
    asked.push(rest[2]);
    softmaxRows(rows, ...rest);
  };
  const tree = actionTree(count);
  const [alone, among] = [new Units(tree, 0.7), new Units(tree, 0.7, { rows: n, softmaxRows: counted })];
  const told = (units: Units, turn: (k: number) => void, measures: boolean): unknown[] =>
    Array.from({ length: n }, (_, k) => {
      turn(k);
      const p = new Float32Array(count);
      units.probs(p, 0);
      const all = [new Float32Array(count), new Float64Array(count)] as const;
      units.fillAll(...all, 0);
      units.follow(k === 2 ? 1 : 2);
      const read = [units.total(units.logp), units.logZ[0]];
      const isFinite = measures && units.write(() => 0.6);
      return [p, all, read, isFinite, units.action, units.total(units.logp), units.total(units.entropy)];
    });
  for (const measures of [true, false]) {
    among.face({ out, first: 2, stride }, legal, n, measures);
    const want = told(alone, (k) => alone.at(out, 2 + k * stride, legal[k]!), measures);
    expect(told(among, (k) => among.turn(k), measures)).toEqual(want);
  }
  expect(asked).toEqual([true, false]);
  // what a row is turned to is forgotten when another is put in its place
  among.at(out, 2, legal[0]!);
  among.follow(0);
  alone.at(out, 2, legal[0]!);
  alone.follow(0);
  expect(among.logp).toEqual(alone.logp);
});
