import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StateSpec } from '../contract/state.ts';
import { MILESTONES } from '../contract/signals.ts';
import { stateOf, type ModuleForm } from '../contract/module.ts';
import { answer } from '../contract/labelBook.ts';
import { TAG } from '../contract/tags.ts';
import { STEP_ROLES } from '../contract/units.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { rewards } from '../slots/registry.ts';
import type { RewardModule } from '../slots/reward/types.ts';

/** What is seen of the steps of one episode that is cut; states in turn, from the first on. */
type Walk = { readonly phi: readonly number[]; readonly flags: readonly boolean[] };
const MESSAGE = 7;

/** What a module pays over a walk in which whatever can be claimed of a step is true where its flag says so. */
function paidFor(module: RewardModule, { phi, flags }: Walk, changes: AnyValues, gamma = 1): number {
  const params = { ...defaultsOf(module.params), ...changes } as AnyValues;
  const T = flags.length;
  const marks = Float32Array.from(flags, Number);
  const states = Uint32Array.from({ length: 2 * T }, (_, k) => (k % 2 === 0 ? (flags[k >> 1] ? 1 : 2) : 3));
  const steps = new Float32Array(MILESTONES).fill(-1);
  steps[0] = 0;
  const batch = {
    ...{ B: 1, T, length: Uint32Array.of(T), terminated: Uint8Array.of(0), success: Uint8Array.of(1) },
    ...{ reward: new Float32Array(T), outcome: new Float32Array(1), taskIndex: Uint32Array.of(0) },
    ...{ phi: Float32Array.from(phi), progress: new Float32Array(T + 1).fill(0.5), milestoneStep: steps },
    ...{
      features: new Uint32Array(T + 1),
      taught: Float32Array.from(phi, (_, k) => Math.min(k, 1)),
      novel: marks,
      grounded: marks,
      invalid: marks.map((x) => 1 - x),
      message: marks.map(() => MESSAGE),
      decides: marks.map((_, k) => STEP_ROLES.indexOf(k % 2 === 0 ? 'switch' : 'action')),
    },
    ...{ tag: marks.map((x) => (x > 0 ? TAG.explore : TAG.none)), did: marks },
    ...{ stateKey: states, finalStateKey: Uint32Array.of(1, 3), levelSeed: Uint32Array.of(1) },
  };
  const spec: StateSpec = stateOf(module as ModuleForm, params);
  const memory = Object.fromEntries(
    Object.entries(spec).map(([name, { width = 1, type }]) => [
      name,
      type === 'u32' ? new Uint32Array(width as number) : new Float32Array(width as number),
    ]),
  );
  if (memory['book']) answer(memory['book'], MESSAGE, true);
  const out = new Float32Array(T);
  module.run(batch as never, params, out, memory);
  return out.reduceRight((G, r) => r + gamma * G, 0);
}

const additive = rewards.filter(({ kind }) => kind === 'additive');
/** Settings with which a module is as open to farming as it can be. */
const OPEN: Readonly<Record<string, AnyValues>> = {
  oni: { exponent: 0, int: 0.3 },
  rlsp: { pays: 'steps', fade: 0 },
  mira: { potential: 'oracle' },
};
const most = (module: RewardModule, T: number): number =>
  (module.mostPerStep?.({ ...defaultsOf(module.params), ...OPEN[module.id] }, T) ?? 0) * T;

const walks = fc
  .array(fc.tuple(fc.double({ min: -1, max: 0, noNaN: true }), fc.boolean()), { minLength: 1, maxLength: 40 })
  .map((steps): Walk => ({ phi: [-1, ...steps.map(([phi]) => phi)], flags: steps.map(([, flag]) => flag) }));

test.each(additive.filter((module) => most(module, 30) > 0).map((module) => [module.id, module] as const))(
  '%s never pays more over an episode than the form computes from its largest step',
  (_, module) => {
    fc.assert(
      fc.property(walks, (walk) => {
        const T = walk.flags.length;
        expect(paidFor(module, walk, OPEN[module.id] ?? {})).toBeLessThanOrEqual(most(module, T) + 1e-5 * T);
      }),
    );
  },
);

/** There and back again, as often as fits. */
const loop = (T: number): Walk => ({
  phi: Array.from({ length: T + 1 }, (_, k) => (k % 2 === 0 ? -1 : -0.5)),
  flags: Array<boolean>(T).fill(true),
});
const GAMMA = 0.95;

test.each(additive.filter((module) => most(module, 30) === 0).map((module) => [module.id, module] as const))(
  '%s, of which the form says nothing, is worth no more than all of the way however often one goes to and fro',
  (_, module) => {
    for (const T of [2, 40, 400]) expect(paidFor(module, loop(T), OPEN[module.id] ?? {}, GAMMA)).toBeLessThanOrEqual(1);
  },
);

test('which modules that add to the reward can be farmed is known', () => {
  const open = additive.filter((module) => most(module, 30) > 0).map(({ id }) => id);
  expect(open).toEqual(['progress', 'rlsp', 'countBonus', 'newStates', 'oni', 'tagReward']);
});
