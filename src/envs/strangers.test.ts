import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LevelStream } from '../core/random.ts';
import { defaultsOf } from '../core/settings.ts';
import { environments } from './registry.ts';
import type { Environment } from './types.ts';

/** Levels of one kind that are read; `PROPERTY_SEED` draws others. */
const TEXTS = 20_000;
const SEED = fc.readConfigureGlobal().seed!;

/** What its texts are made of, and texts that are levels, to begin from. */
const KINDS: Readonly<Record<string, { readonly parts: readonly string[]; readonly good: readonly string[] }>> = {
  grid: {
    parts: [
      ...'S.G#E+LO~$oabcdABCD123456789tuwz>v<^ :;\t',
      '\n',
      'slip: ',
      '1 98 1',
      '65535',
      'ice: all',
      'map:',
      'need: any',
    ],
    good: ['S..\n.#.\n..G', 'slip: 1 8 1\nice: marked\nmap:\nS~a#\n..A$\n#o.E', '>1.2\n.L.O\nbB.+\nG..t'],
  },
  sokoban: {
    parts: [...'# .$*@+bpBP-_|0123456789;:x\t', '\n', '\r\n', '999', '5#|', '#####\n'],
    good: [
      '#####\n#@$.#\n#####',
      '7#|#@ $ .#|#2 $.2 #|7#',
      ';one\n######\n#.$@ #\n######\n\n;two\n#####\n#@$.#\n#####',
    ],
  },
  textmaze: {
    parts: [
      'rooms: ',
      'start: ',
      'edge: ',
      'door: ',
      'key: ',
      'item: ',
      'goal: ',
      'hall ',
      'attic ',
      'vault ',
      'east ',
    ].concat(['south ', 'red ', 'lamp ', 'cup ', 'reach ', 'take ', 'bring ', '\n', ';', ':', ' ', '__proto__ ', '9']),
    good: [
      'rooms: hall attic\nstart: hall\nedge: hall east attic\ngoal: reach attic',
      'rooms: hall attic vault\nstart: hall\ndoor: hall east attic red\nedge: hall south vault\nkey: red vault\n' +
        'item: lamp attic\ngoal: bring lamp vault',
    ],
  },
};

/** A text: a level with a few mistakes in it, or parts in any order. */
function textFrom(draw: LevelStream, { parts, good }: (typeof KINDS)[string]): string {
  if (draw.below(4) === 0) return Array.from({ length: draw.below(40) }, () => draw.pick(parts)).join('');
  let text = draw.pick(good);
  for (let n = draw.below(4); n > 0; n--) {
    const at = draw.below(text.length + 1);
    const until = draw.below(3) === 0 ? text.length : at + draw.below(4);
    const put = draw.below(2) === 0 ? draw.pick(parts) : text.slice(at, at + draw.below(12)).repeat(draw.below(4));
    text = text.slice(0, at) + put + text.slice(draw.below(8) === 0 ? until : at + draw.below(3));
  }
  return text;
}

/** Looks at a level as a run would: first state, every action once. */
function play<L>(env: Environment<L>, level: L): void {
  const state = new Uint32Array(env.words);
  const bits = new Uint32Array(Math.ceil(env.features(level) / 32));
  const result = { reward: 0, flags: 0 };
  if (!(env.maxSteps(level) > 0)) throw new Error('no steps');
  for (let action = 0; action < env.actions(level).length; action++) {
    env.reset(level, state, 0);
    env.step(level, state, 0, { action, seed: 1 }, result);
    env.observe(level, state, 0, bits, 0);
    if (env.text(level, state, 0) === '' || !Number.isFinite(result.reward)) throw new Error('no text or no reward');
  }
}

/** Environments whose levels may be written as text. */
const written = environments.filter(({ settings }) => Object.values(settings).some(({ kind }) => kind === 'text'));

test.each(written.map((env) => [env.id, env] as const))(
  '20,000 texts of any form are levels of %s that can be played, or are refused in one sentence with their place',
  (id, env) => {
    expect(written.length).toBeGreaterThan(2);
    const settings = { ...defaultsOf(env.settings), level: 'custom' };
    const rewards = defaultsOf(env.rewards);
    const names = Object.getOwnPropertyNames(Object.prototype);
    let levels = 0;
    for (let n = 0; n < TEXTS; n++) {
      const text = textFrom(new LevelStream(SEED, env.family, n), KINDS[id]!);
      try {
        const level = env.level({ ...settings, text }, rewards, n);
        if (level.ok) {
          levels++;
          play(env, level.value);
        } else if (level.problem.kind === 'levelRejected') {
          const { line, column, detail } = level.problem;
          // a map that is missing is missed where it would begin
          const inside = line >= 1 && line <= text.split(/\r\n?|\n/).length + 1 && column >= 1;
          if (!inside || !/^[A-Z][^\n]+\.$/.test(detail)) throw new Error(`${line}:${column} ${detail}`);
        } else if (level.problem.kind !== 'configRejected') throw new Error(level.problem.kind);
      } catch (error) {
        throw new Error(`PROPERTY_SEED=${SEED}, text ${n}: ${JSON.stringify(text)}`, { cause: error });
      }
    }
    // both halves of the promise were asked for
    expect(levels).toBeGreaterThan(TEXTS / 20);
    expect(levels).toBeLessThan(TEXTS * 0.9);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names);
  },
);
