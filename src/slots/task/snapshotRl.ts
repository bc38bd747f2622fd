import { settings } from '../../core/settings.ts';
import { PURPOSE, random, uniform } from '../../core/random.ts';
import { evenLevel, wholeTask } from '../../contract/taskContext.ts';
import { usedSteps, type Task } from '../../contract/tasks.ts';
import type { Distances } from '../../envs/distances.ts';
import { namer } from '../../envs/enumerate.ts';
import { FLAG, type Environment, type StepResult } from '../../envs/types.ts';
import { begun, evenly, measured, oneOf, placesWhere, worldOf } from './begin.ts';
import { readLessons, snapshotsIn, type Snapshot } from './lessons.ts';
import { defineTaskSource } from './types.ts';

const params = settings({
  phase: {
    ...{ kind: 'number', label: 'Early phase', default: 0.3, min: 0.01, max: 1, unit: 'of all updates' },
    doc: 'While it lasts, episodes may begin in snapshots; their share falls to 0 at its end.',
  },
  teacher: {
    ...{ kind: 'choice', label: 'Teacher', default: 'solver', options: ['solver', 'episodes'] },
    optionLabels: ['the solver, now and then by chance', 'episodes of another run'],
    doc: 'Whose states they are: those of the solver, or of episodes that travel with the experiment.',
  },
  episodes: {
    ...{ kind: 'text', label: 'Episodes', default: '', maxLength: 4000 },
    doc: 'One a line, “level: action, action …”, by name or number; docs/trajectories.md tells how.',
    when: { setting: 'teacher', is: ['episodes'] },
  },
  noise: {
    when: { setting: 'teacher', is: ['solver'] },
    ...{ kind: 'number', label: 'Random actions of the teacher', default: 0.2, min: 0, max: 0.9 },
    doc: 'How often the teacher acts by chance, so that snapshots lie beside the shortest way, too.',
    formula: 'ε',
  },
  classes: {
    ...{ kind: 'integer', label: 'Classes', default: 8, min: 1, max: 32 },
    doc: 'Snapshots are drawn evenly from as many bins of their distance to the goal, or to the end.',
  },
  cut: {
    ...{ kind: 'number', label: 'Steps from a snapshot', default: 0.25, min: 0.01, max: 1, unit: 'of the step limit' },
    doc: 'Episodes from snapshots are cut after this many, at least 8, so that more of them are tried.',
    formula: 'T_s',
  },
});

/** Steps that are left in a snapshot at least. */
const LEFT = 4;
/** Fewest steps of an episode that begins in a snapshot. */
const LEAST = 8;
/** Episodes of the teacher that snapshots of a level are taken from. */
const LESSONS = 8;

/** The task with the step limit of an episode that begins in a snapshot. */
function cutAfter(task: Task, cut: number, T: number): Task {
  const most = usedSteps(task.start) + Math.max(LEAST, Math.ceil(cut * T));
  return most < T ? { ...task, maxSteps: most } : task;
}

/** Share of tasks that begin in a snapshot: 1 → 0 over the early phase, linearly. */
export const shareAt = (update: number, updates: number, phase: number): number =>
  Math.max(0, 1 - update / Math.max(1, phase * updates));

/** Bin of a distance d of at most `best`, of equal ones. */
export const classOf = (d: number, best: number, classes: number): number =>
  Math.min(classes - 1, Math.floor(((d - 1) * classes) / Math.max(1, best)));

const taken = new WeakMap<Distances, Map<number, readonly number[]>>();
const result: StepResult = { reward: 0, flags: 0 };

/** A level in which a teacher acts, and the states that are known of it. */
type Taught = {
  readonly env: Environment;
  readonly level: object;
  readonly levelSeed: number;
  readonly from: Distances;
};

/** The states that a teacher passes in some episodes of a level; all that are known where these are one path. */
export function snapshotsOf(taught: Taught, T: number, noise: number): readonly number[] {
  const { from } = taught;
  let known = taken.get(from);
  if (!known) taken.set(from, (known = new Map()));
  let found = known.get(noise);
  if (!found) known.set(noise, (found = from.isWhole ? passed(taught, T, noise) : placesWhere(from, () => true)));
  return found;
}

/** A teacher takes an action of a shortest way, or with probability `noise` any; once lost, its episode is over. */
function passed({ env, level, levelSeed, from }: Taught, T: number, noise: number): readonly number[] {
  const { nameOf } = namer(env, level, 'world');
  const rows = new Map(from.states.map((state, k) => [nameOf(state, 0), k]));
  const stepsFrom = (state: Uint32Array): number => from.toGoal[rows.get(nameOf(state, 0)) ?? -1] ?? Infinity;
  const actions = Array.from(env.actions(level), (_, a) => a);
  const all = new Set<number>();
  const state = new Uint32Array(env.words);
  for (let lesson = 0; lesson < LESSONS; lesson++) {
    env.reset(level, state, 0);
    for (let t = 0; t < T; t++) {
      const row = rows.get(nameOf(state, 0));
      if (row === undefined) break;
      all.add(row);
      const draw = (n: number): number => uniform(random(levelSeed, PURPOSE.snapshot, lesson, t, n));
      const best = actions.find((a) =>
        env
          .outcomes(level, state, a)
          .some((o) => (o.flags & FLAG.success) !== 0 || stepsFrom(o.state) < from.toGoal[row]!),
      );
      const action = draw(0) < noise ? Math.floor(draw(1) * actions.length) : best!;
      env.step(level, state, 0, { action, seed: lesson }, result);
      if ((result.flags & (FLAG.terminated | FLAG.truncated)) !== 0) break;
    }
  }
  return [...all].sort((a, b) => a - b);
}

/**
 * Episodes that begin where a teacher has been (SnapshotRL, S3RL):
 *
 *   with probability 1 − u/(phase·U) in update u < phase·U a snapshot, else the start of the level
 *   snapshot: a class of distances to the goal that has some, each as likely; then one of its states, each as likely
 *   step limit from there: T_s = max(8, cut·T)
 *
 * The teacher is the solver, which acts by chance now and then, or episodes of another run, written into the experiment so
 * that its link repeats it: they are played again, and classes are of the steps that were left. (The paper clusters states; bins of the distance and the
 * linear end of the early phase are the lab's.)
 */
export const snapshotRl = defineTaskSource({
  id: 'snapshotRl',
  title: 'Snapshots of a teacher (SnapshotRL)',
  rev: 1,
  source: { title: 'SnapshotRL', arxiv: '2403.00673', level: 'digest' },
  formula: 'P(snapshot) = 1 − u/(phase·U)',
  look: 'In the early phase short episodes begin all along the way; when they fade out, evaluation shows what stays.',
  params,
  starts: true,
  metrics: ['savedStarts'],
  refuses({ teacher, episodes }) {
    if (teacher !== 'episodes') return null;
    const { lessons, wrong } = readLessons(episodes);
    const solver = { setting: 'teacher', instead: 'solver' } as const;
    if (wrong !== null)
      return { ...solver, message: `has no episode in line ${wrong}: each line is “level: action, action …”` };
    return lessons.length === 0 ? { ...solver, message: 'has no episodes: write some, or let the solver teach' } : null;
  },
  next(_state, context, { phase, teacher, episodes, noise, classes, cut }) {
    const world = worldOf(context);
    const { env, T, updates, level } = world;
    const share = shareAt(context.update, updates, phase);
    const shown = teacher === 'episodes' ? snapshotsIn(episodes, world, LEFT) : null;
    const farthest = shown?.reduce((most, { left }) => Math.max(most, left), 0) ?? 0;
    return Array.from({ length: context.P }, (_, p) => {
      if (context.draw(p, 0) >= share) return wholeTask(evenLevel(context, p), context.G);
      if (shown) {
        const bin = ({ left }: Snapshot): number => classOf(left, farthest, classes);
        const drawnClass = oneOf([...new Set(shown.map(bin))], context.draw(p, 1));
        const among = shown.filter((one) => bin(one) === drawnClass);
        const found = among[oneOf([...among.keys()], context.draw(p, 2))];
        if (!found) return wholeTask(evenLevel(context, p), context.G);
        const used = usedSteps(found.state);
        const task = { ...wholeTask(found.levelSeed, context.G), ...(used > 0 ? { start: found.state } : {}) };
        return cutAfter(task, cut, T);
      }
      const { whole, from } = evenly(context, p);
      if (!from) return whole;
      const { levelSeed } = whole;
      const places = snapshotsOf({ env, level: level(levelSeed), levelSeed, from }, T, noise);
      const classAt = (k: number): number => classOf(from.toGoal[k]!, from.best, classes);
      const chosen = oneOf([...new Set(places.map(classAt))], context.draw(p, 1));
      const place = oneOf(
        places.filter((k) => classAt(k) === chosen),
        context.draw(p, 2),
      );
      const task = place > 0 ? begun(whole, from, place, T) : whole;
      return place >= 0 ? cutAfter(task, cut, T) : task;
    });
  },
  measure: (_state, batch) => measured(batch),
});
