import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import {
  OF_METRICS,
  OF_NETWORKS,
  OF_SIGNALS,
  OF_WORLDS,
  withoutOtherParts,
  withoutUnnamed,
} from './lib/pageRecords.ts';

type Toy = { readonly [part: string]: unknown } & {
  survey(): void;
  coefficient(unit: object, params: object, out: object): void;
  average(): { step(x: number): number };
};

test('a record for the page keeps its words, and what only the worker calls is refused there', async () => {
  const code = `
    const defineObjective = (record) => record;
    const wgsl = 'fn coefficient() {}';
    export const toy = defineObjective({
      id: 'toy',
      formula: 'step: 1',
      wgsl,
      survey: (set, _params, mark) => mark.set(set.A),
      coefficient(unit, { eps }, out) { out.kappa = unit.A > eps ? unit.A : 0; },
      average() { return { step: (x) => x }; },
      step: () => null,
    });`;
  const light = withoutOtherParts(code, parseAst(code));
  expect(light).not.toContain('mark.set');
  expect(light).not.toContain('out.kappa');
  const { toy } = (await import(`data:text/javascript,${encodeURIComponent(light)}`)) as { toy: Toy };
  expect(toy).toMatchObject({ id: 'toy', formula: 'step: 1', wgsl: '' });
  expect(() => toy.survey()).toThrow('not loaded');
  expect(() => toy.coefficient({}, {}, {})).toThrow('not loaded');
  expect(toy.average().step(3)).toBe(3);
});

test('of the signals of a world the page knows only which levels have them', async () => {
  const code = `
    const defineSignals = (record) => record;
    export const signalsOf = (env) => defineSignals({
      fits: (level) => level < env,
      table: (level) => heavy(level),
      tell(level, table) { return heavy(table); },
      wgsl: async () => (await import('./signalsWgsl.ts')).signalsWgsl,
      effort: 'steps',
    });`;
  const light = withoutOtherParts(code, parseAst(code), OF_SIGNALS);
  expect(light).not.toMatch(/heavy|signalsWgsl/);
  const { signalsOf } = (await import(`data:text/javascript,${encodeURIComponent(light)}`)) as {
    signalsOf: (env: number) => { fits(level: number): boolean; table(level: number): object; effort: string };
  };
  const { fits, table, effort } = signalsOf(2);
  expect([fits(1), fits(2), effort]).toEqual([true, false, 'steps']);
  expect(() => table(1)).toThrow('not loaded');
});

test('formulas of metrics do not come to the page, and what their texts say does', async () => {
  const code = `
    const defineMetrics = (list) => list;
    export const metrics = defineMetrics([
      { id: 'one', batch: ({ steps }) => heavy(steps), doc: 'One.', gpu: (r) => r.one },
      { id: 'two', update: ({ end }) => end.x },
    ]);`;
  const light = withoutOtherParts(code, parseAst(code), OF_METRICS);
  const { metrics } = (await import(`data:text/javascript,${encodeURIComponent(light)}`)) as { metrics: object[] };
  expect(metrics).toEqual([{ id: 'one', doc: 'One.' }, { id: 'two' }]);
});

test('of a network the page knows the sizes, and that there is a recording', async () => {
  const code = `
    const defineNetwork = (record) => record;
    export const net = defineNetwork({
      id: 'net',
      layout: ({ n }) => ({ size: n }),
      start: ({ layout }) => heavy(layout),
      make: () => heavy(),
      reading: heavy,
      gpu: async () => (await import('./netOnGpu.ts')).netOnGpu,
    });`;
  const light = withoutOtherParts(code, parseAst(code), OF_NETWORKS);
  expect(light).not.toMatch(/heavy|netOnGpu/);
  const { net } = (await import(`data:text/javascript,${encodeURIComponent(light)}`)) as {
    net: Record<string, unknown>;
  };
  expect(Object.keys(net)).toEqual(['id', 'layout', 'gpu']);
});

test('a world on the page plays, and neither searches for long nor lies on a device', async () => {
  const code = `
    import { packLevel } from './pack.ts';
    export const world = {
      id: 'toy',
      step: (level, state) => state + level,
      solve({ rules }) { return heavy(rules); },
      gpu: { wgsl: async () => 'fn step() {}', packLevel },
    };`;
  const light = withoutOtherParts(code, parseAst(code), OF_WORLDS);
  expect(light).not.toContain('heavy');
  const alone = light.replace(/import .*\n/, '');
  const { world } = (await import(`data:text/javascript,${encodeURIComponent(alone)}`)) as {
    world: {
      step(level: number, state: number): number;
      solve(level: object): void;
      gpu: object;
    };
  };
  expect(world.step(1, 2)).toBe(3);
  expect(() => world.solve({})).toThrow('not loaded');
  expect(world.gpu).toMatchObject({ packLevel: '' });
});

test('a module for the page imports, and keeps of its own functions, only what its record still names', () => {
  const code = `
    import './effect.ts';
    import whole, { settings, spread as wide } from './used.ts';
    import { heavy } from './heavy.ts';
    const inside = () => heavy(1);
    function around() { return inside(); }
    const named = () => wide;
    export const toy = defineEstimator({ id: whole, params: settings({}), rows: named });
    export function forOthers() { return around(); }`;
  const light = withoutUnnamed(code, parseAst);
  expect(light).not.toMatch(/heavy|inside|around|forOthers/);
  expect(light).toContain("import './effect.ts';");
  expect(light).toContain("import whole, { settings, spread as wide } from './used.ts';");
  expect(light).toContain('const named = () => wide;');
  const helpers = 'import { a, b } from "./x.ts"; export const f = () => a;';
  expect(withoutUnnamed(helpers, parseAst)).toBe('import {a} from "./x.ts"; export const f = () => a;');
});
