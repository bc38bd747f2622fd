import { expect, test } from 'vitest';
import { look, useView } from './stores/view.ts';
import { clearRun } from './takeIn.ts';

test('a step that was pointed at is no longer so when its run has gone: the strip goes away without being left', () => {
  look({ hovered: { i: 2, t: 5 } });
  clearRun();
  expect(useView.getState().hovered).toBeNull();
});
