import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenIds, VOCABULARY } from '../vocabulary.ts';
import { COMMANDS, parseCommand } from './commands.ts';
import { anySeed, anyTask, levelOf, play, said, wander } from './samples.ts';
import { BAG_FEATURES, say, SENTENCE } from './say.ts';
import { textmaze } from './textmaze.ts';

describe('language', () => {
  test('every command is read as itself', () => {
    for (const count of [16, 18])
      expect(COMMANDS.slice(0, count).map((command) => parseCommand(command, count))).toEqual([...Array(count).keys()]);
  });

  test('with the goal told once it is said at the start and after plan only', () => {
    const level = levelOf({ level: 'twoRooms', goalShown: 'first' });
    const goal = /goal take lamp \.$/;
    expect(said(level, play(level, []).state)).toMatch(goal);
    expect(said(level, play(level, ['look']).state)).not.toMatch(goal);
    expect(said(level, play(level, ['look', 'plan']).state)).toMatch(goal);
  });

  test('no observation of long random play is longer than announced; the tokens are the words in order', () => {
    fc.assert(
      fc.property(anyTask, anySeed, (task, seed) => {
        const level = levelOf({ ...task, view: 'tokens', maxSteps: 400 }, seed);
        const words = textmaze.features(level) / 32;
        expect(words).toBe(textmaze.language.length(level) / 4);
        const bits = new Uint32Array(words + 2).fill(0xffffffff);
        wander(level, 300, seed, (_state, _action, next) => {
          const { tokens } = say(level.rules, level.goalFirst, next, 0);
          textmaze.observe(level, next, 0, bits, 1);
          const unpacked = [...new Uint8Array(bits.buffer, 4, 4 * words)];
          expect(unpacked).toEqual([...tokens, ...Array<number>(4 * words - tokens.length).fill(0)]);
        });
        expect([bits[0], bits.at(-1)]).toEqual([0xffffffff, 0xffffffff]);
      }),
      { numRuns: 60 },
    );
  });

  test('the bag of words tells doors of two colors apart', () => {
    const bag = (east: string, south: string): number[] => {
      const text = `rooms: hall attic vault\nstart: hall\ndoor: hall east attic ${east}\ndoor: hall south vault ${south}\ngoal: reach vault`;
      const level = levelOf({ level: 'custom', text });
      const bits = new Uint32Array(Math.ceil(BAG_FEATURES / 32));
      textmaze.observe(level, play(level, []).state, 0, bits, 0);
      return [...Array(BAG_FEATURES).keys()].filter((f) => ((bits[f >>> 5]! >>> (f & 31)) & 1) === 1);
    };
    const V = VOCABULARY.length;
    const isDoor = (f: number): boolean => Math.floor(f / V) === SENTENCE.locked;
    expect(bag('red', 'blue').filter(isDoor)).toEqual([3 * V, 3 * V + 5]);
    expect(bag('blue', 'red').filter(isDoor)).toEqual([3 * V + 1, 3 * V + 4]);
    expect(bag('red', 'blue').filter((f) => !isDoor(f))).toEqual(
      ['1 you', '1 are', '1 in', '1 hall', '2 exits', '2 none', '5 you', '5 have', '5 nothing']
        .concat(['6 goal', '6 reach', '6 vault'])
        .map((entry) => Number(entry[0]) * V + tokenIds([entry.slice(2)])[0]!)
        .sort((a, b) => a - b),
    );
  });

  test('the scene shows rooms, what lies in them, doors, what is held and what is said', () => {
    const level = levelOf({ level: 'threeRooms' });
    const { state } = play(level, ['go east', 'take blue key']);
    expect(textmaze.scene(level, state, 0)).toEqual({
      width: 2,
      height: 2,
      cells: [
        { ground: 'room', label: 'hall', items: [] },
        { ground: 'room', label: 'garden', items: [] },
        { ground: 'unseen', label: 'cellar', items: [{ item: 'cup' }] },
        { ground: 'void' },
      ],
      passages: [
        { a: 0, b: 1, open: true },
        { a: 0, b: 2, open: false, color: 1 },
      ],
      holding: ['blue key'],
      agent: { cell: 1, direction: null },
      said: ['taken .', 'you are in garden .', 'exits west .', 'you have blue key .', 'goal take cup .'],
    });
  });
});
