import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../src/core/settings.ts';
import { wrappers } from '../src/slots/registry.ts';
import { grid } from '../src/envs/grid/grid.ts';
import { optioned } from '../src/envs/perturb/later/optioned.ts';
import { questioned } from '../src/envs/perturb/later/questioned.ts';
import { tagged } from '../src/envs/perturb/later/tagged.ts';
import { taught } from '../src/envs/perturb/later/taught.ts';
import { serial } from '../src/envs/perturb/later/serial.ts';
import { sokoban as laterSokoban } from '../src/envs/sokoban/later.ts';
import { sokoban } from '../src/envs/sokoban/sokoban.ts';
import * as sokobanRules from '../src/envs/sokoban/rules.ts';
import { textmaze as laterTextmaze } from '../src/envs/textmaze/later.ts';
import { textmaze } from '../src/envs/textmaze/textmaze.ts';
import * as textmazeRules from '../src/envs/textmaze/rules.ts';
import { FAMILY as MAZES } from '../src/envs/textmaze/generate.ts';
import type { Environment } from '../src/envs/types.ts';

const WRAPPERS = {
  questioned: 'question',
  taught: 'teacher',
  optioned: 'options',
  tagged: 'thoughts',
  serial: 'levelRow',
};

const worlds = [
  [laterSokoban, sokoban, sokobanRules.WORDS, sokobanRules.FAMILY],
  [laterTextmaze, textmaze, textmazeRules.WORDS, MAZES],
] as unknown as readonly (readonly [Environment, Environment, number, number])[];

describe.each(worlds)('a world whose rules come later', (later, whole, words, family) => {
  const settings = defaultsOf(whole.settings);
  const rewards = defaultsOf(whole.rewards);

  test('says so until they are there, and is the world itself from then on', async () => {
    expect([later.words, later.family]).toEqual([words, family]);
    const waiting = later.level(settings, rewards, 1);
    expect(waiting).toMatchObject({ ok: false, problem: { issues: [{ message: 'is still being loaded' }] } });
    // whatever stands before it can be put there already
    for (const { world, params } of wrappers) {
      const wrapped = world?.(later, defaultsOf(params) as never, rewards);
      if (wrapped) expect(wrapped.level(settings, rewards, 1).ok).toBe(false);
    }
    await later.prepare!(settings);
    for (const [name, part] of Object.entries(whole)) expect(later[name as keyof Environment], name).toBe(part);
    expect(later.prepare).toBe(whole.prepare);
    expect(later.level(settings, rewards, 1).ok).toBe(true);
  });
});

test('what stands before a world comes later in the same way', async () => {
  for (const [name, around] of Object.entries({ questioned, taught, optioned, tagged, serial })) {
    const wrapper = wrappers.find(({ id }) => id === WRAPPERS[name as keyof typeof WRAPPERS])!;
    const params = defaultsOf(wrapper.params);
    const [settings, rewards] = [defaultsOf(grid.settings), defaultsOf(grid.rewards)];
    const behind = (): Environment => around(grid as unknown as Environment, params as never, rewards as never);
    expect(behind().level(settings, rewards, 1)).toMatchObject({ problem: { issues: [{ path: 'task.grid.level' }] } });
    await behind().prepare!(settings);
    const level = behind().level(settings, rewards, 1);
    expect(level.ok, name).toBe(true);
    expect(behind().words).toBe(wrapper.world!(grid as unknown as Environment, params as never, rewards).words);
  }
});
