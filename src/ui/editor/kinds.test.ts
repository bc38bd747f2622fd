import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { environments } from '../../envs/registry.ts';
import { worldOf, firstState } from '../stage/world.ts';

/** A small level around one character, and the cell in which it stands. */
const AROUND: Readonly<Record<string, { text: (char: string) => string; cell: number }>> = {
  grid: { text: (char) => `S12\n.${char}G`, cell: 4 },
  sokoban: { text: (char) => `######\n# @  #\n# $${char} #\n#  . #\n######`, cell: 15 },
};

test('a brush looks on the map of the editor as in the world', () => {
  let compared = 0;
  for (const { id, editor: kind } of environments) {
    const around = Object.hasOwn(AROUND, id) ? AROUND[id]! : null;
    if (!around || kind.form !== 'board') continue;
    for (const brush of kind.brushes) {
      const own = { [`task.${id}.level`]: 'custom', [`task.${id}.text`]: around.text(brush.char) };
      const world = worldOf(configWith({ 'task.method': id, ...own }), 1);
      if (!world) continue; // a second start, a stop without those before it
      const { ground, item, color } = world.env.scene(world.level, firstState(world), 0).cells[around.cell]!;
      const shown = { ground: ground === 'dead' ? 'floor' : ground, item, color };
      expect(shown, `${id} ${brush.name}`).toEqual({ item: undefined, color: undefined, ...brush.cell });
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(20);
});
