import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateCost } from './cost.ts';
import { changesBetween, diffText } from './diff.ts';
import { configDigest } from './digest.ts';
import { presetConfig, presets } from './presets.ts';
import { prepareTask } from './level.ts';
import { problemText } from './problems.ts';
import { checkRules } from './rules.ts';
import { configWith, defaultConfig, fields, getValue, parseConfig, setValue } from './schema.ts';
import type { LinkReason, Problem } from '../core/problem.ts';

test('the default experiment and every preset have nothing wrong with them', async () => {
  for (const preset of presets) {
    const config = presetConfig(preset);
    await prepareTask(config);
    expect(parseConfig(config), preset.id).toEqual({ ok: true, value: config });
    expect(
      checkRules(config).filter((i) => i.severity === 'error'),
      preset.id,
    ).toEqual([]);
  }
  expect(new Set(presets.map((p) => p.id)).size).toBe(presets.length);
});

test.each([
  ['advantage.method', { 'advantage.method': 'arpo' }],
  ['rollout.groupSize', { 'rollout.groupSize': 1 }],
  ['objective.minibatches', { 'objective.minibatches': 64 }],
  ['task.grid.text', { 'task.grid.level': 'custom', 'task.grid.text': 'S..\n..?\n..G' }],
  ['rollout.tasksPerBatch', { 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 64 }],
  [
    'policy.mlp.hidden',
    { 'policy.mlp.hidden': [512, 512, 512, 512, 512, 512], 'task.grid.level': 'empty', 'task.grid.n': 32 },
  ],
  ['policy.method', { 'policy.method': 'tabular', 'task.grid.level': 'fourRooms', 'task.grid.n': 9 }],
  // a network would take numbers that mean another state on every map
  ['task.grid.view', { 'task.grid.view': 'index', 'task.grid.level': 'fourRooms', 'task.grid.n': 9 }],
  ['task.grid.n', { 'task.grid.level': 'empty', 'task.grid.n': 63 }],
  ['task.grid.window', { 'task.grid.view': 'ego', 'task.grid.window': 4 }],
  [
    'rollout.staleness',
    { 'rollout.staleness': 128, 'run.seeds': 8, 'policy.mlp.hidden': [512, 512], 'rollout.groupSize': 2 },
  ],
  ['objective.minibatches', { 'objective.method': 'vcpo', 'objective.minibatches': 8 }],
  ['control.resetStalled.on', { 'control.resetStalled.on': true, 'analysis.evalEvery': 0 }],
  ['analysis.heldOut', { 'analysis.heldOut': true, 'analysis.evalEvery': 0, 'task.grid.level': 'fourRooms' }],
  ['analysis.heldOut', { 'analysis.heldOut': true, 'task.grid.level': 'corridor' }],
  ['control.safe.on', { 'control.safe.on': true, 'objective.klIn': 'reward' }],
  [
    'revise.virtualTarget.on',
    { 'revise.virtualTarget.on': true, 'policy.method': 'transformer', 'task.method': 'textmaze' },
  ],
  ['task.grid.level', { 'task.grid.level': 'dynamicObstacles', 'task.grid.n': 4, 'task.grid.count': 8 }],
  ['objective.method', { 'policy.method': 'gru', 'objective.method': 'nlpo' }],
  ['objective.method', { 'policy.method': 'gru', 'objective.method': 'vcpo' }],
  ['rollout.ages', { 'policy.method': 'gru', 'rollout.ages': 'mixed', 'rollout.staleness': 2 }],
  ['policy.method', { 'policy.method': 'gru', 'task.grid.maxSteps': 1100 }],
  ['policy.method', { 'policy.method': 'conv', 'task.grid.view': 'index' }],
  ['policy.method', { 'policy.method': 'conv', 'task.method': 'textmaze' }],
])('an impossible %s is refused there, and one click repairs it', (path, changes) => {
  const broken = configWith(changes);
  const issue = checkRules(broken).find((i) => i.severity === 'error');
  expect(issue?.path).toBe(path);
  expect(issue?.message.length).toBeGreaterThan(10);
  const repaired = issue!.repair!.set.reduce((config, { path: at, value }) => setValue(config, at, value), broken);
  expect(checkRules(repaired).filter((i) => i.severity === 'error' && i.path === path)).toEqual([]);
  expect(parseConfig(repaired).ok).toBe(true);
});

test('a group of one is refused where it teaches nothing, by what the settings make of it and not by a list', () => {
  const said = (changes: object): string | undefined =>
    checkRules(configWith({ 'rollout.groupSize': 1, ...changes })).find((i) => i.path === 'rollout.groupSize')?.message;
  expect(said({ 'advantage.method': 'grpo' })).toContain('teaches nothing');
  expect(said({ 'advantage.method': 'gigpo' })).toContain('only learn where an episode came back to a state');
  expect(said({ 'advantage.method': 'gigpo', 'advantage.gigpo.omega': 0 })).toContain('teaches nothing');
  for (const method of ['reinforcePP', 'gae', 'empg', 'mapo', 'g2po', 'copo'])
    expect(said({ 'advantage.method': method }), method).toBeUndefined();
  // without their bonus, their immediate part, or a second task they are as silent as the rest
  expect(said({ 'advantage.method': 'empg', 'advantage.empg.zeta': 0 })).toContain('teaches nothing');
  expect(said({ 'advantage.method': 'mapo', 'advantage.mapo.beta': 0 })).toContain('teaches nothing');
  expect(said({ 'advantage.method': 'copo', 'rollout.tasksPerBatch': 1 })).toContain('teaches nothing');
  // its process model learns from a success and a failure of one group: without them it gives nothing
  expect(said({ 'advantage.method': 'oprl' })).toContain('OPRL compares the episodes of a group');
});

test('where the objective compares the returns itself, a group of one is judged by the objective and not by the estimator', () => {
  const said = (changes: object): string | undefined =>
    checkRules(configWith({ 'rollout.groupSize': 1, ...changes })).find((i) => i.path === 'rollout.groupSize')?.message;
  for (const method of ['dpo', 'cpl', 'alol'])
    expect(said({ 'advantage.method': 'reinforcePP', 'objective.method': method }), method).toContain(
      'teaches nothing',
    );
  const returns = { 'objective.method': 'vcpo', 'objective.vcpo.credit': 'return' };
  expect(said({ 'advantage.method': 'reinforcePP', ...returns })).toContain('VCPO compares the episodes of a group');
  // the shares of success are those of the batch
  const rover = { 'advantage.method': 'grpo', 'objective.method': 'rover' };
  expect(said({ ...rover, 'objective.rover.reward': 'batch' })).toBeUndefined();
  expect(said(rover)).toContain('GRPO compares the episodes of a group');
});

test.each([
  ['rollout.ages', { 'rollout.ages': 'mixed' }],
  ['objective.method', { 'objective.method': 'decoupled' }],
  ['advantage.method', { 'objective.method': 'vcpo' }],
  ['rollout.generators', { 'rollout.ages': 'queue', 'rollout.generators': 5 }],
  ['objective.aggregate', { 'objective.method': 'vcpo' }],
  ['advantage.method', { 'objective.method': 'dpo', 'objective.aggregate': 'seqMeanUnitSum' }],
  ['objective.aggregate', { 'objective.method': 'cpl' }],
  ['policy.critics', { 'policy.critics': 'double' }],
  ['policy.critics', { 'policy.critics': 'double', 'policy.method': 'tabular', 'advantage.method': 'gae' }],
  ['objective.criticWarmup', { 'objective.criticWarmup': 5 }],
  ['objective.criticWarmup', { 'objective.criticWarmup': 200, 'advantage.method': 'gae' }],
  ['objective.valueLoss', { 'objective.valueLoss': 'mean', 'objective.valueClip': 0, 'advantage.method': 'gae' }],
  ['objective.klCoef', { 'control.adaptiveKl.on': true, 'control.adaptiveKl.target': 0.1 }],
  ['control.klStop.on', { 'control.klStop.on': true, 'control.klStop.limit': 0.1 }],
  ['objective.klCoef', { 'control.safe.on': true, 'objective.klCoef': 0.1 }],
])('a %s without the effect one expects gets a hint', (path, changes) => {
  const of = (config: ReturnType<typeof configWith>): string[] =>
    checkRules(config).flatMap((i) => (i.severity === 'hint' ? [i.path] : []));
  expect(of(configWith(changes))).toContain(path);
  expect(of(defaultConfig())).not.toContain(path);
});

test('on old data a clip has something to do', () => {
  const about = (changes: Record<string, unknown>): boolean =>
    checkRules(configWith(changes)).some((i) => i.path === 'objective.epochs');
  expect(about({ 'objective.method': 'ppoClip' })).toBe(true);
  expect(about({ 'objective.method': 'ppoClip', 'rollout.staleness': 1 })).toBe(false);
  expect(about({ 'objective.method': 'ppoClip', 'rollout.rolloutPrecision': 'int4' })).toBe(false);
});

test('a level with a mistake names line and column', () => {
  const [issue] = checkRules(configWith({ 'task.grid.level': 'custom', 'task.grid.text': 'S..\n..?\n..G' }));
  expect(issue!.message).toContain('line 2, column 3');
});

test('what changed is said in words', () => {
  const after = configWith({ 'advantage.method': 'grpo', 'rollout.groupSize': 16 });
  expect(diffText(defaultConfig(), after)).toBe('group size 8 → 16, advantage GiGPO → GRPO');
  expect(diffText(after, after)).toBe('no change');
  // titles and labels as the form has them, and rewards as 1.0
  const other = configWith({ 'task.grid.level': 'fourRooms', 'reward.grid.goal': 2500, 'reward.grid.step': -20 });
  expect(diffText(defaultConfig(), other)).toBe('level Key and door → Four rooms, goal 1 → 2.5, each step 0 → −0.02');
  const events = '8 optimizer.learningRate 0.02; 26 reference reset';
  expect(diffText(after, configWith({ 'run.events': events }, after))).toBe('2 changes during the run');
  const fork = configWith({ 'run.fork': '[{"at":4,"was":{"advantage.method":"rloo"}}]' }, after);
  expect(diffText(after, fork)).toBe('fork of another run at update 4');
  expect(diffText(fork, after)).toBe('no fork');
});

test('settings that no chosen method uses are not called changes', () => {
  expect(changesBetween(defaultConfig(), configWith({ 'advantage.gae.lambda': 0.5 }))).toEqual([]);
});

test('paths reach every field and nothing else', () => {
  for (const field of fields)
    expect(setValue(defaultConfig(), field.path, getValue(defaultConfig(), field.path))).toEqual(defaultConfig());
  for (const path of ['__proto__.x', 'run', 'run.seeds.x', 'constructor', ''])
    expect(() => setValue(defaultConfig(), path, 1)).toThrow();
});

test('the short name of an experiment changes with any setting and with nothing else', async () => {
  const name = await configDigest(defaultConfig());
  expect(name).toMatch(/^[a-z2-7]{10}$/);
  expect(await configDigest(structuredClone(defaultConfig()))).toBe(name);
  expect(await configDigest(configWith({ 'run.seed': 2 }))).not.toBe(name);
});

test('the cost counts parameters, bytes, steps and time', () => {
  const cost = estimateCost(defaultConfig(), 100_000)!;
  // 479 observation bits × 64 + 64, then 64 × 4 + 4
  expect(cost.parameters).toBe(479 * 64 + 64 + 64 * 4 + 4);
  expect(cost.stepsPerUpdate).toBe(3 * 32 * 30);
  expect(cost.seconds).toBeCloseTo((2880 * 200) / 100_000, 6);
  expect(estimateCost(configWith({ 'task.grid.level': 'custom', 'task.grid.text': '' }), 1)).toBeNull();
});

const reasons: LinkReason[] = [
  'cut',
  'tooLong',
  'notALink',
  'newerVersion',
  'tooLarge',
  'tooDeep',
  'unknownField',
  'badValue',
  'tooExpensive',
];
const problems: Problem[] = [
  { kind: 'noWebGpu', why: 'This browser has no WebGPU.' },
  { kind: 'gpuAsked', why: 'This browser has no WebGPU.' },
  { kind: 'loadCrashed' },
  { kind: 'softwareAdapter', name: 'SwiftShader' },
  { kind: 'limitTooSmall', what: 'one array (batch)', needed: '180 MiB', available: '128 MiB', field: 'seeds' },
  { kind: 'kernelRejected', kernel: 'combine', message: 'no' },
  { kind: 'workRefused', message: 'Binding size (8) is larger than 4.' },
  { kind: 'deviceLost', update: 3, resumedFrom: 2, backend: 'cpu' },
  { kind: 'outOfMemory', bytes: 1e9, largest: 'batch' },
  { kind: 'fellBack', why: { kind: 'workRefused', message: 'no' }, update: 3, resumedFrom: 2, now: 'plain' },
  { kind: 'nonFinite', slot: 'objective', update: 4, lastGood: 4 },
  { kind: 'workerCrashed', message: 'why' },
  { kind: 'workerMissing' },
  { kind: 'workerSilent' },
  { kind: 'workerReplaced', why: 'It did not answer', update: 7, resumedFrom: 4, goesOn: true },
  { kind: 'partMissing' },
  { kind: 'unexpected', message: 'Why not?' },
  { kind: 'storageFull' },
  { kind: 'storageCleared' },
  { kind: 'storageShortLived' },
  { kind: 'updateWaits' },
  { kind: 'draftRejected', detail: 'Its field run.seeds must be a number.' },
  { kind: 'runLost', id: 'a', update: 3, updates: 9 },
  { kind: 'runRefused', why: 'It is open in another tab of this browser.' },
  { kind: 'checkpointDamaged', why: 'It is empty.', update: 3 },
  { kind: 'backendChanged', update: 3, backend: 'cpu' },
  { kind: 'runNotKept' },
  { kind: 'curvesInMemory' },
  { kind: 'curvesUnread' },
  { kind: 'recordsRejected', count: 2, why: 'Its field seed is missing.' },
  { kind: 'checkpointsRemoved', runs: 1 },
  { kind: 'marksRemoved' },
  { kind: 'marksNotKept' },
  { kind: 'marksDamaged', count: 2 },
  { kind: 'marksDamaged', count: null },
  ...reasons.map((reason): Problem => ({ kind: 'linkRejected', reason, detail: 'Because.' })),
  { kind: 'levelRejected', code: 'noGoal', line: 2, column: 3, detail: 'There is no goal.' },
  { kind: 'configRejected', issues: [{ path: 'run.seeds', message: 'must be a number' }] },
];

test('every trouble has a title, a sentence and a way out, without blame or exclamation marks', () => {
  for (const problem of problems) {
    const { title, sentence, way } = problemText(problem);
    for (const text of [title, sentence, way]) {
      expect(text.length, problem.kind).toBeGreaterThan(5);
      expect(text).not.toMatch(/!|undefined|NaN|\[object/);
    }
  }
});

test('no config that fits the schema makes the rules throw', () => {
  const one = fc.tuple(fc.nat(fields.length - 1), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(one, { maxLength: 6 }), (changes) => {
      const config = changes.reduce((c, [at, x]) => {
        const { setting, path, slot } = fields[at]!;
        if (setting === null) return setValue(c, path, slot.modules[Math.floor(x * 0.999 * slot.modules.length)]!.id);
        if (setting.kind === 'choice')
          return setValue(c, path, setting.options[Math.floor(x * 0.999 * setting.options.length)]);
        if (setting.kind === 'switch') return setValue(c, path, x > 0.5);
        if (setting.kind === 'integer')
          return setValue(c, path, Math.round(setting.min + x * (Math.min(setting.max, 40) - setting.min)));
        if (setting.kind === 'number') return setValue(c, path, setting.min + x * (setting.max - setting.min));
        return c;
      }, defaultConfig());
      if (parseConfig(config).ok) checkRules(config);
    }),
    { numRuns: 60 },
  );
});
