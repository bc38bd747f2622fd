import type { Check, PolicyCase } from '../networks/conformance.ts';
import { defaultConfig } from '../config/schema.ts';
import { behaviorOf, versionOf } from '../engine/behavior.ts';
import { capacity } from '../slots/rollout/versions/queue/boundedQueue.ts';

/** Compares versions of old data and the admission of the queue, whole numbers all, with a golden case of kind `staleness`. */
export function checkStalenessCase({ kind, params, inputs, expected }: PolicyCase): Check[] {
  const of = (name: string): number => Number(params[name]);
  const list = (name: string): readonly number[] => inputs[name] as readonly number[];
  const fixed = behaviorOf({ ...defaultConfig().rollout, staleness: of('lag'), ages: 'fixed' });
  const got: Record<string, number[]> = {
    behaviourVersion: Array.from({ length: of('updates') }, (_, u) => versionOf({ behavior: fixed, T: 1 }, 0, u, 0, 0)),
    capacity: list('version').map((version, k) =>
      capacity(
        { bound: of('maxStaleness'), tasks: of('consumerBatch'), generators: list('concurrency')[k]! },
        version,
        list('accepted')[k]!,
        list('running')[k]!,
      ),
    ),
  };
  return Object.entries(expected).map(([key, want]) => {
    const have = got[key];
    const errors = want.map((w, k) => Math.abs((have?.[k] ?? NaN) - w));
    const passed = have?.length === want.length && errors.every((e) => e === 0);
    return { key: `${kind}.${key}`, built: have !== undefined, passed, maxError: Math.max(...errors) };
  });
}
