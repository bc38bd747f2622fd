import { expect, test } from 'vitest';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { replicasOf, tensorsOf } from '../contract/state.ts';
import { stateIn, writePassed } from '../contract/passed.ts';
import type { SavedState } from '../contract/tasks.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { Run } from './run.ts';
import { sampleRun, train } from './sampleRun.ts';

const SMALL = {
  ...{ 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 14, 'task.levels': 4, 'source.method': 'exIt' },
  ...{ 'source.exIt.kept': 12, 'policy.mlp.hidden': [8], 'rollout.tasksPerBatch': 6, 'rollout.groupSize': 5 },
  ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 12, 'analysis.evalEvery': 0 },
};

test('one state of a row after its first step, every one as likely, and none of rows that end with it', () => {
  const [T, words] = [4, 2];
  const state = Uint32Array.from({ length: 3 * (T + 1) * words }, (_, k) =>
    k % words === 1 ? Math.floor(k / words) % (T + 1) : Math.floor(k / (words * (T + 1))),
  );
  const rows = { T, words, state, length: [4, 1, 3] };
  const seen = new Map<string, number>();
  for (let a = 0; a < 24; a++)
    for (let b = 0; b < 24; b++) {
      const out = new Uint32Array(words);
      writePassed(rows, [0, 1, 2], [a / 24, b / 24], out, 0);
      const name = stateIn(out, 0, words)?.join(' ') ?? 'none';
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  expect(Object.fromEntries(seen)).toEqual({
    ...{ '0 1': 64, '0 2': 64, '0 3': 64, none: 192 },
    ...{ '2 1': 96, '2 2': 96 },
  });
  const nobody = new Uint32Array(words);
  writePassed(rows, [], [0, 0], nobody, 0);
  expect(stateIn(nobody, 0, words)).toBeNull();
});

test('the state that is told of a task is one that its own episodes passed, and episodes go on from stored ones', async () => {
  const run = await sampleRun(SMALL);
  const { whole: plan } = run;
  const { words } = plan.env;
  let [told, begun] = [0, 0];
  for (let u = 0; u < 8; u++) {
    const { state } = await run.checkpoint();
    const record = await run.submit();
    for (let s = 0; s < plan.S; s++) {
      const view = await run.backend.view(s);
      const stored = tensorsOf(replicasOf(state, plan.S, s, 1).tensors, 'exIt')['start']!;
      const all = Array.from({ length: stored.length / words }, (_, k) => stored.slice(k * words, (k + 1) * words));
      for (let p = 0; p < plan.P; p++) {
        const passed: SavedState | null = stateIn(record.passed!, s * plan.P + p, words);
        const rows = Array.from({ length: plan.B }, (_, i) => i).filter((i) => view.batch.taskIndex[i] === p);
        const states = rows.flatMap((i) =>
          Array.from({ length: view.batch.length[i]! - 1 }, (_, t) => {
            const at = (i * (plan.T + 1) + t + 1) * words;
            return view.state.slice(at, at + words).join(' ');
          }),
        );
        if (states.length > 0 && passed) {
          told++;
          expect(states).toContain(passed.join(' '));
        }
        const first = rows[0]! * (plan.T + 1) * words;
        const start = view.state.slice(first, first + words);
        if (start.at(-1)! === 0) continue;
        begun++;
        expect(all.map((words) => words.join(' '))).toContain(start.join(' '));
      }
    }
  }
  expect(told).toBeGreaterThan(60);
  expect(begun).toBeGreaterThan(15);
});

test('a run that goes on from a checkpoint with stored states is the one that never stopped, to the bit', async () => {
  const run = await sampleRun(SMALL);
  await train(run, 5);
  const saved = await run.checkpoint();
  expect(tensorsOf(saved.state.tensors, 'exIt')['seenAt']!.some((x) => x > 0)).toBe(true);
  const rest = await train(run, 4);
  const resumed = await Run.create(run.whole, makeCpuBackend, saved);
  expect(await train(resumed, 4)).toEqual(rest);
  expect(await resumed.checkpoint()).toEqual(await run.checkpoint());
});

test('rounds that replace rows tell the source of those that it gave', async () => {
  const run = await sampleRun({ ...SMALL, 'rollout.method': 'dynamicSampling' });
  const records = await train(run, 4);
  expect(records.some(({ passed }) => passed!.some((word) => word !== 0))).toBe(true);
  expect(tensorsOf((await run.checkpoint()).state.tensors, 'exIt')['seenAt']!.some((x) => x > 0)).toBe(true);
});

test('what an episode hides cannot be shared by a group that begins there; one level is enough to choose starts from', () => {
  const of = (changes: Record<string, unknown>) =>
    checkRules(configWith({ ...SMALL, ...changes })).filter(({ path }) => path === 'source.method');
  const asked = of({ 'task.question.on': true });
  expect(asked).toMatchObject([{ severity: 'error', repair: { label: 'draw evenly' } }]);
  expect(asked[0]!.message).toContain('“Question” hides something else in every episode');
  expect(of({ 'task.levels': 1 })).toEqual([]);
  const replayed = of({ 'task.levels': 1, 'source.method': 'levelReplay' });
  expect(replayed.map(({ message }) => message)).toEqual(['has nothing to choose from: there is only one level']);
});
