import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backwardInduction } from '../../core/dp.ts';
import { below, random } from '../../core/random.ts';
import { defaultsOf, settingsSchema, parse, type AnyValues } from '../../core/settings.ts';
import { must } from '../../core/problem.ts';
import { enumerate } from '../enumerate.ts';
import { FLAG } from '../types.ts';
import { VOCABULARY } from '../vocabulary.ts';
import { sokobanPresets } from './presets.ts';
import { EVENT } from './rules.ts';
import { LESSONS, rewardSettings, taskSettings } from './settings.ts';
import { sokoban, type SokobanLevel } from './sokoban.ts';
import { BOXOBAN, loadBoxoban } from './boxoban.ts';

await Promise.all(BOXOBAN.map(async (set) => loadBoxoban(set)));

function make(changes: AnyValues, seed = 1, rewards: AnyValues = {}) {
  const s = { ...defaultsOf(taskSettings), ...changes };
  return sokoban.level(s, { ...defaultsOf(rewardSettings), ...rewards }, seed);
}

function levelOf(changes: AnyValues, seed = 1, rewards: AnyValues = {}): SokobanLevel {
  return must(make(changes, seed, rewards));
}

function startOf(level: SokobanLevel): Uint32Array {
  const state = new Uint32Array(sokoban.words);
  sokoban.reset(level, state, 0);
  return state;
}

const textOf = (level: SokobanLevel): string => sokoban.text(level, startOf(level), 0);

/** Random steps from the start, again after every end. */
function play(
  level: SokobanLevel,
  steps: number,
  seed: number,
  look: (before: Uint32Array, action: number, after: Uint32Array, result: { reward: number; flags: number }) => void,
): void {
  let state = startOf(level);
  for (let k = 0; k < steps; k++) {
    if (state[9]! >>> 16 !== 0) state = startOf(level);
    const before = state.slice();
    const action = below(random(seed, 99, k, 0, 0), 4);
    const result = { reward: 0, flags: 0 };
    sokoban.step(level, state, 0, { action, seed }, result);
    look(before, action, state, result);
  }
}

const SOURCES: readonly AnyValues[] = [
  ...Object.keys(LESSONS).map((level) => ({ level })),
  { level: 'reverse' },
  { level: 'reverse', w: 7, h: 8, boxes: 3, pulls: 10 },
  { level: 'boxoban', set: 'unfiltered' },
  { level: 'boxoban', set: 'medium' },
  { level: 'boxoban', set: 'hard' },
  { level: 'custom' },
];

describe('steps', () => {
  test('the rewards of a push onto a target, off it, and of the last one', () => {
    const text = '########\n#@$. . #\n#  $   #\n########';
    const level = levelOf({ level: 'custom', text });
    const state = startOf(level);
    const result = { reward: 0, flags: 0 };
    const go = (action: number): [number, number] => {
      sokoban.step(level, state, 0, { action, seed: 1 }, result);
      return [result.reward, result.flags];
    };
    expect(go(0)).toEqual([-100 + 1000, EVENT.push | EVENT.boxOn]);
    expect(go(3)).toEqual([-100, FLAG.invalid | FLAG.noEffect]);
    expect(go(0)).toEqual([-100 - 1000, EVENT.push | EVENT.boxOff]);
    expect(go(2)).toEqual([-100, 0]);
    // down is a box with a wall behind it
    expect(sokoban.text(level, state, 0)).toBe('########\n# @.$. #\n#  $   #\n########');
  });

  test('a push onto a dead square raises its event, and ends the episode where that is asked for', () => {
    const text = '######\n#    #\n# $@.#\n#    #\n######';
    const push = (deadEnd: boolean): [number, number] => {
      const level = levelOf({ level: 'custom', text, deadEnd }, 1, { dead: -5000 });
      const state = startOf(level);
      const result = { reward: 0, flags: 0 };
      sokoban.step(level, state, 0, { action: 2, seed: 1 }, result);
      expect(state[9]! >>> 16).toBe(deadEnd ? FLAG.terminated | FLAG.dead : 0);
      return [result.reward, result.flags];
    };
    expect(push(false)).toEqual([-100, EVENT.push | EVENT.deadSquare]);
    expect(push(true)).toEqual([-5100, EVENT.push | EVENT.deadSquare | FLAG.terminated | FLAG.dead]);
  });

  test('the last allowed step is cut, unless it solves the level', () => {
    const text = '######\n#@$ .#\n######';
    const walk = (maxSteps: number): number => {
      const level = levelOf({ level: 'custom', text, maxSteps });
      const state = startOf(level);
      const result = { reward: 0, flags: 0 };
      for (let t = 0; t < maxSteps; t++) sokoban.step(level, state, 0, { action: 0, seed: 1 }, result);
      return result.flags & 15;
    };
    expect(walk(1)).toBe(FLAG.truncated);
    expect(walk(2)).toBe(FLAG.terminated | FLAG.success);
  });

  test('a step writes its own ten words only, and nothing changes after the end', () => {
    const level = levelOf({ level: 'firstPush', maxSteps: 25 });
    const states = new Uint32Array(30).fill(0xabcdef01);
    const result = { reward: 0, flags: 0 };
    sokoban.reset(level, states, 10);
    for (let t = 0; t < 25; t++)
      sokoban.step(level, states, 10, { action: below(random(4, 99, t, 0, 0), 4), seed: 1 }, result);
    expect([...states.subarray(0, 10), ...states.subarray(20)]).toEqual(Array(20).fill(0xabcdef01));
    const end = states.slice();
    sokoban.step(level, states, 10, { action: 0, seed: 1 }, result);
    expect(states).toEqual(end);
    expect(result).toEqual({ reward: 0, flags: end[19]! >>> 16 });
  });

  test.each(SOURCES)('equal keys behave alike, and boxes are never lost: %j', (source) => {
    const level = levelOf(source, 3);
    const boxes = textOf(level).match(/[$*]/g)!.length;
    const seen = new Map<string, string>();
    const key = new Uint32Array(2);
    play(level, 1500, 7, (before, _action, after) => {
      sokoban.key(level, before, 0, key, 0);
      const from = before.slice();
      from[9] = 0;
      const behavior = JSON.stringify(
        [0, 1, 2, 3].map((a) => sokoban.outcomes(level, from, a).map((o) => [[...o.state], o.reward, o.flags])),
      );
      const known = seen.get(key.join());
      if (known !== undefined) expect(known).toBe(behavior);
      seen.set(key.join(), behavior);
      expect(sokoban.text(level, after, 0).match(/[$*]/g)).toHaveLength(boxes);
    });
    expect(seen.size).toBeGreaterThan(5);
  });

  test('the probabilities of all outcomes sum to 1 and the sampled step is one of them', () => {
    const level = levelOf({ level: 'twoBoxes', slip: [1, 6, 3] });
    play(level, 1500, 8, (before, action, after, result) => {
      const outcomes = sokoban.outcomes(level, before, action);
      expect(outcomes.reduce((sum, o) => sum + o.numerator / o.denominator, 0)).toBeCloseTo(1, 12);
      const same = outcomes.filter(
        (o) => o.state.subarray(0, 9).every((w, k) => w === after[k]) && o.reward === result.reward,
      );
      expect(same.length).toBeGreaterThan(0);
    });
    expect(sokoban.chances(level)).toBe(3);
    expect(sokoban.outcomes(levelOf({}), startOf(levelOf({})), 0)).toHaveLength(1);
  });

  test('how often the floor turns the agent follows its weights', () => {
    const text = '#######\n#     #\n#  @  #\n#    $#\n#    .#\n#######';
    const level = levelOf({ level: 'custom', text, slip: [1, 6, 3] });
    const counts = new Map<number, number>();
    const result = { reward: 0, flags: 0 };
    const n = 6000;
    for (let seed = 0; seed < n; seed++) {
      const state = startOf(level);
      sokoban.step(level, state, 0, { action: 0, seed }, result);
      const moved = state[0]! - startOf(level)[0]!;
      counts.set(moved, (counts.get(moved) ?? 0) + 1);
    }
    // 5 binomial standard deviations: 5·sqrt(6000·0.6·0.4) = 190
    expect(Math.abs(counts.get(1)! - 0.6 * n)).toBeLessThan(190);
    expect(Math.abs(counts.get(-16)! - 0.1 * n)).toBeLessThan(117);
    expect(Math.abs(counts.get(16)! - 0.3 * n)).toBeLessThan(178);
  });

  test('with forbidden moves exactly the blocked ones are missing', () => {
    const level = levelOf({ level: 'twoBoxes', maskActions: true });
    let blocked = 0;
    play(level, 1500, 9, (before, action, _after, result) => {
      const isLegal = ((sokoban.legal(level, before, 0) >>> action) & 1) === 1;
      expect(isLegal).toBe((result.flags & FLAG.invalid) === 0);
      if (!isLegal) blocked++;
    });
    expect(blocked).toBeGreaterThan(100);
    expect(sokoban.legal(levelOf({}), startOf(levelOf({})), 0)).toBe(0xffffffff);
  });
});

describe('levels', () => {
  test.each(SOURCES)('have a path, a drawing and equal sizes for all seeds: %j', (source) => {
    const sizes = new Set<string>();
    for (let seed = 1; seed <= 6; seed++) {
      const level = levelOf(source, seed);
      const state = startOf(level);
      const { width, height, cells, agent } = sokoban.scene(level, state, 0);
      const text = sokoban.text(level, state, 0);
      sizes.add(`${sokoban.features(level)} ${sokoban.maxSteps(level)} ${width} ${height}`);
      expect(cells).toHaveLength(width * height);
      expect('@+').toContain(text.split('\n').join('')[agent.cell]);
      const path = sokoban.shortestPath(level);
      expect(path, text).not.toBeNull();
      const result = { reward: 0, flags: 0 };
      const long = { ...level, rules: { ...level.rules, T: 2048 } };
      for (const action of path!) sokoban.step(long, state, 0, { action, seed: 1 }, result);
      expect(result.flags & FLAG.success, text).toBe(FLAG.success);
    }
    expect(sizes.size).toBe(1);
  });

  test('a lesson can be solved within its limit, and its values are exact and small', () => {
    const table = Object.keys(LESSONS).map((id) => {
      const level = levelOf({ level: id });
      const { model } = enumerate(sokoban, level, 10_000)!;
      const best = backwardInduction(model, null, sokoban.maxSteps(level), 1, 'success').V[0];
      expect(best).toBe(1);
      expect(model.states * sokoban.maxSteps(level)).toBeLessThanOrEqual(100_000);
      return [id, model.states, sokoban.shortestPath(level)!.length];
    });
    expect(table).toEqual([
      ['firstPush', 121, 7],
      ['corner', 81, 6],
      ['goRound', 99, 19],
      ['order', 138, 14],
      ['twoBoxes', 1231, 9],
    ]);
  });

  test('several levels in one text: the seed picks one, and all are padded to the largest', () => {
    const text = '; small\n#####\n#@$.#\n#####\n\n; tall\n####\n#@ #\n#$ #\n#. #\n#  #\n####';
    const levels = Array.from({ length: 12 }, (_, seed) => levelOf({ level: 'custom', text }, seed));
    const texts = new Set(levels.map(textOf));
    expect(texts).toEqual(
      new Set(['#####\n#@$.#\n#####\n#####\n#####\n#####', '#####\n#@ ##\n#$ ##\n#. ##\n#  ##\n#####']),
    );
    expect(new Set(levels.map((level) => sokoban.features(level)))).toEqual(new Set([4 * 5 * 6]));
  });

  test('mistakes in a text come back with their place in the whole text', () => {
    const place = (text: string): string => {
      const made = make({ level: 'custom', text });
      if (made.ok || made.problem.kind !== 'levelRejected') throw new Error('accepted');
      expect(made.problem.detail).toMatch(/^[A-Z].*\.$/);
      return `${made.problem.code} ${made.problem.line}:${made.problem.column}`;
    };
    expect(place('')).toBe('empty 1:1');
    expect(place('nothing here')).toBe('unknownCell 1:1');
    expect(place('Title\n#####\n#@ .#\n#####')).toBe('noBox 2:1');
    expect(place('#####\n#@x.#\n#####')).toBe('unknownCell 2:3');
    expect(place('one\n#####\n#@$.#\n#####\ntwo\n#####\n#@$$#\n#####')).toBe('countMismatch 6:1');
    expect(place('#############\n#@$.        #\n#############')).toBe('tooLarge 1:13');
  });

  test("no text of one's own makes a level throw", () => {
    const char = fc.constantFrom(...'##### .$*@+b|23;x\n\n');
    let accepted = 0;
    fc.assert(
      fc.property(fc.string({ unit: char, maxLength: 60 }), fc.nat(3), (body, seed) => {
        const text = `#####\n#@$.#\n#####\n\n${body}`;
        const made = make({ level: 'custom', text, view: 'index' }, seed);
        if (!made.ok) return;
        accepted++;
        expect(sokoban.text(made.value, startOf(made.value), 0)).toContain('#');
        sokoban.shortestPath(made.value);
      }),
      { numRuns: 500, seed: 11 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  test('settings that cannot work come back with a sentence', () => {
    const message = (changes: AnyValues): string => {
      const made = make(changes);
      if (made.ok || made.problem.kind !== 'configRejected') throw new Error('accepted');
      return `${made.problem.issues[0]!.path} ${made.problem.issues[0]!.message}`;
    };
    expect(message({ slip: [0, 0, 0] })).toMatch(/^task\.sokoban\.slip has only zeros/);
    expect(message({ level: 'reverse', w: 5, h: 5, boxes: 6 })).toMatch(/^task\.sokoban\.boxes leaves no board/);
    expect(message({ level: 'boxoban', view: 'index' })).toMatch(/^task\.sokoban\.level has more than 20,000 states/);
  });

  test('a task that grows has levels in every stage, the first too, where each box needs a push', () => {
    const growing = { level: 'reverse', boxes: 2, pulls: 4, growEvery: 1 };
    for (let stage = 0; stage < 4; stage++)
      for (let seed = 0; seed < 4; seed++) expect(make(growing, (seed << 3) | stage).ok).toBe(true);
  });

  test('the seed picks levels of the bundled sample all over a set', () => {
    const texts = Array.from({ length: 60 }, (_, seed) => textOf(levelOf({ level: 'boxoban', set: 'hard' }, seed)));
    expect(new Set(texts).size).toBeGreaterThan(50);
    expect(texts[7]).toBe(textOf(levelOf({ level: 'boxoban', set: 'hard' }, 7)));
  });

  test('published settings fit the schemas and make levels', () => {
    expect(new Set(sokobanPresets.map(({ id }) => id)).size).toBe(sokobanPresets.length);
    for (const { settings, rewards, id } of sokobanPresets) {
      const s = { ...defaultsOf(taskSettings), ...settings };
      expect(parse(settingsSchema(taskSettings), s).ok, id).toBe(true);
      expect(parse(settingsSchema(rewardSettings), rewards).ok || id, id).toBe(true);
      for (const seed of [1, 2, 3])
        expect(sokoban.maxSteps(levelOf(settings, seed, rewards)), id).toBe((settings['maxSteps'] as number) || 120);
    }
  });
});

describe('views', () => {
  test('tokens are packed four per word, one per cell, and say what the map says', () => {
    const level = levelOf({ level: 'custom', text: '#####\n#+$*#\n#   #\n#####', view: 'tokens' });
    const state = startOf(level);
    const words = new Uint32Array(6).fill(0xffffffff);
    sokoban.observe(level, state, 0, words, 0);
    const ids = Array.from({ length: 24 }, (_, k) => (words[k >>> 2]! >>> (8 * (k & 3))) & 255);
    const names: Record<string, string> = { ' ': '.', $: 'box', '*': 'boxOnTarget', '+': 'agentOnTarget', '#': '#' };
    const cells = [...sokoban.text(level, state, 0).replaceAll('\n', '')];
    expect(ids.slice(0, 20).map((id) => VOCABULARY[id])).toEqual(cells.map((char) => `cell:${names[char]}`));
    // four words of 20 tokens are written, the sixth word is not ours
    expect(ids.slice(20)).toEqual([255, 255, 255, 255]);
    expect(sokoban.features(level)).toBe(5 * 32);
    expect(sokoban.language.length(level)).toBe(20);
    expect(sokoban.language.commands(level).map((c) => c.map((id) => VOCABULARY[id]))).toEqual([
      ['east'],
      ['south'],
      ['west'],
      ['north'],
    ]);
  });

  test('an odd number of cells ends with <pad>', () => {
    const level = levelOf({ level: 'custom', text: '#####\n#@$.#\n#####', view: 'tokens' });
    const words = new Uint32Array(4).fill(0xffffffff);
    sokoban.observe(level, startOf(level), 0, words, 0);
    expect(words[3]! >>> 24).toBe(0);
    expect(words[3]! & 255).toBe(VOCABULARY.indexOf('cell:#'));
  });

  test('around the player, floor, targets and boxes stand where they are seen from there', () => {
    const level = levelOf({ level: 'custom', text: '######\n#  $.#\n# @ ##\n######', view: 'around' });
    // floor takes 4 × 2 cells at most, so the window has 7 × 3, and the player is in its middle
    expect(sokoban.features(level)).toBe(3 * 7 * 3);
    const words = new Uint32Array(3).fill(0xffffffff);
    sokoban.observe(level, startOf(level), 0, words, 0);
    const shown = (plane: number): string[] =>
      [0, 1, 2].map((y) =>
        [0, 1, 2, 3, 4, 5, 6]
          .map((x) => 21 * plane + 7 * y + x)
          .map((f) => (words[f >>> 5]! >>> (f & 31)) & 1)
          .join(''),
      );
    expect(shown(0)).toEqual(['0011110', '0011100', '0000000']);
    expect(shown(1)).toEqual(['0000010', '0000000', '0000000']);
    expect(shown(2)).toEqual(['0000100', '0000000', '0000000']);
    expect(words[2]! >>> 0).toBe(0xffffffff);
  });

  test('around the player, a board looks the same wherever it stands', () => {
    const text = ['#####', '#@$.#', '#####'];
    const bits = (rows: readonly string[]): string => {
      const level = levelOf({ level: 'custom', text: rows.join('\n'), view: 'around' });
      const words = new Uint32Array(Math.ceil(sokoban.features(level) / 32));
      sokoban.observe(level, startOf(level), 0, words, 0);
      return words.join();
    };
    const wide = (left: number, right: number, above: number, below: number): string[] => [
      ...Array<string>(above).fill('#'.repeat(5 + left + right)),
      ...text.map((row) => '#'.repeat(left) + row + '#'.repeat(right)),
      ...Array<string>(below).fill('#'.repeat(5 + left + right)),
    ];
    expect(bits(wide(3, 1, 0, 2))).toBe(bits(wide(0, 4, 2, 0)));
  });

  test('every reachable state has a row of its own in the table', () => {
    const level = levelOf({ level: 'order', view: 'index' });
    const { states, model } = enumerate(sokoban, level, 10_000)!;
    const rows = new Set<number>();
    const bits = new Uint32Array(Math.ceil(sokoban.features(level) / 32));
    for (let s = 0; s < model.states; s++) {
      sokoban.observe(level, states, s * 10, bits, 0);
      const on = Array.from({ length: sokoban.features(level) }, (_, f) => f).filter(
        (f) => ((bits[f >>> 5]! >>> (f & 31)) & 1) === 1,
      );
      expect(on).toHaveLength(1);
      rows.add(on[0]!);
    }
    expect(rows.size).toBe(138);
    expect(sokoban.features(level)).toBe(138);
  });

  test('a dead end shrinks the enumerated world and changes no value of the start', () => {
    const [open, ended] = [false, true].map((deadEnd) => levelOf({ level: 'twoBoxes', deadEnd }));
    const size = (level: SokobanLevel): number => enumerate(sokoban, level, 10_000)!.model.states;
    expect(size(ended!)).toBeLessThan(size(open!) / 2);
    const best = (level: SokobanLevel): number =>
      backwardInduction(enumerate(sokoban, level, 10_000)!.model, null, 40, 1, 'success').V[0]!;
    expect(best(ended!)).toBe(best(open!));
  });
});
