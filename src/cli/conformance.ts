import { readFile } from 'node:fs/promises';
import { checkEnvironmentOnGpu } from '../engine/gpu/environmentsOnGpu.ts';
import { checkObjectivesOnGpu, checkStackLossOnGpu } from '../check/objectivesOnGpu.ts';
import { checkAdvantageOnGpu, checkStackOnGpu } from '../check/goldenOnGpu.ts';
import type { Gpu } from '../gpu/device.ts';
import { helped } from './args.ts';
import { nodeGpu } from './node.ts';
import { checkStalenessCase } from '../check/behavior.ts';
import { checkRewardCase, type RewardCase } from '../check/golden/rewardCase.ts';
import { trainedKeys } from '../check/golden/trainedKeys.ts';
import { trainedMetrics } from '../check/golden/trainedMetrics.ts';
import { checkEnvironmentCase, type EnvironmentCase } from '../envs/conformance.ts';
import {
  checkAdvantageCase,
  checkObjectiveCase,
  checkStackCase,
  GOLDEN_TOLERANCE,
  type AdvantageCase,
  type ObjectiveCase,
  type StackCase,
} from '../check/conformance.ts';
import { checkPolicyCase, type PolicyCase } from '../networks/conformance.ts';
import { checkBranchCase, checkLookaheadCase, checkRounds } from '../slots/rollout/conformance.ts';
import { checkReturningCase, comesBack } from '../slots/rollout/again/conformance.ts';
import { checkBudgetCase, checkTaskCase, isTaskCase } from '../slots/task/conformance.ts';

const USAGE = 'npm run conformance -- FILE.json';

/** One compared value of one case. */
type Entry = {
  readonly key: string;
  readonly built: boolean;
  readonly passed: boolean;
  readonly maxError: number;
  readonly reason?: string;
};
type Tolerance = { readonly abs: number; readonly rel: number };
type Golden = { readonly schema: string; readonly tolerance?: Tolerance; readonly cases: readonly unknown[] };
type Checker = (golden: never, tolerance: Tolerance) => readonly Entry[];

/** Which definitions a file is checked against, by the first part of its `schema`. */
const CHECKERS: Readonly<Record<string, Checker>> = {
  'advantage-core/1': (c: AdvantageCase, t) => checkAdvantageCase(c, t),
  'objective-metrics/1': (c: ObjectiveCase, t) =>
    checkObjectiveCase(c, t, { objective: trainedKeys, metrics: trainedMetrics }),
  'stacks/1': (c: StackCase, t) => checkStackCase(c, t),
  'reward-hierarchy/1': (c: RewardCase, t) => checkRewardCase(c, t),
  'environments/1': (c: EnvironmentCase, t) => checkEnvironmentCase(c, t),
  'rollout-policy/1': (c: PolicyCase, t) => rolloutPolicy(c, t),
};

function rolloutPolicy(c: PolicyCase, t: Tolerance): readonly Entry[] {
  if (c.kind === 'staleness') return checkStalenessCase(c);
  if (comesBack(c.kind)) return checkReturningCase(c, t);
  if (['branchDecision', 'branchTree', 'aepoBudget'].includes(c.kind)) return checkBranchCase(c, t);
  if (c.kind === 'lookahead') return checkLookaheadCase(c, t);
  if (c.kind === 'dynamicSampling') return checkRounds(c as never); // its shape goes with its kind
  if (c.kind === 'knapsack' || c.kind === 'successRate') return checkBudgetCase(c as never, t);
  return isTaskCase(c) ? checkTaskCase(c, t) : checkPolicyCase(c, t);
}

type GpuChecker = (gpu: Gpu, golden: never, tolerance: Tolerance) => Promise<readonly Entry[]>;

/** Schemas with values that also exist in WGSL. */
const ON_GPU: Readonly<Record<string, GpuChecker>> = {
  'advantage-core/1': (gpu, c: AdvantageCase, t) => checkAdvantageOnGpu(gpu, c, t),
  'stacks/1': (gpu, c: StackCase, t) =>
    c.kind === 'stackLoss' ? checkStackLossOnGpu(gpu, c, t) : checkStackOnGpu(gpu, c, t),
  'objective-metrics/1': (gpu, c: ObjectiveCase, t) => checkObjectivesOnGpu(gpu, c, t),
  'environments/1': (gpu, c: EnvironmentCase) => checkEnvironmentOnGpu(gpu, c),
};

function isGolden(value: unknown): value is Golden {
  const file = value as Partial<Golden> | null;
  return typeof file === 'object' && file !== null && typeof file.schema === 'string' && Array.isArray(file.cases);
}

/** Checks a golden file; prints the largest error per method, what is not built, and the sums. Exit code 1 on a failure. */
async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  const path = argv[0];
  if (path === undefined) return say(`Usage: ${USAGE}`);
  let file: unknown;
  try {
    file = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    return say(`The file ${path} could not be read as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isGolden(file)) return say(`The file ${path} has no schema and cases; it is not a golden file.`);
  if (file.cases.length === 0) return say(`The file ${path} has no cases: there is nothing to check.`);
  const tolerance = file.tolerance ?? GOLDEN_TOLERANCE;
  if (!isTolerance(tolerance)) return say(`The tolerance in ${path} must hold two numbers, abs and rel.`);
  const checker = Object.hasOwn(CHECKERS, file.schema) ? CHECKERS[file.schema]! : null;
  const onGpu = Object.hasOwn(ON_GPU, file.schema) ? await nodeGpu() : null;
  if (typeof onGpu === 'string') console.log(`The WGSL forms were not checked: ${onGpu}`);
  const errors = new Map<string, { error: number; failed: string[] }>();
  const missing = new Set<string>();
  let passed = 0;
  let failed = 0;
  for (const [k, golden] of file.cases.entries()) {
    const name = nameOf(golden) ?? `case ${k}`;
    const entries = checker ? [...entriesOf(checker, golden, tolerance)] : expectedKeys(golden);
    if (entries.length === 0) entries.push(unreadable('case', 'it holds no value to compare'));
    if (onGpu !== null && typeof onGpu !== 'string')
      entries.push(...(await gpuEntries(ON_GPU[file.schema]!, onGpu, golden, tolerance)));
    for (const { key, built, passed: isGood, maxError, reason } of entries) {
      if (!built) {
        missing.add(key);
        continue;
      }
      if (reason !== undefined) {
        failed++;
        console.log(`FAILED ${name}, ${key}: ${reason}`);
        continue;
      }
      const known = errors.get(key) ?? { error: 0, failed: [] };
      known.error = Math.max(known.error, maxError);
      if (isGood) passed++;
      else {
        failed++;
        known.failed.push(name);
      }
      errors.set(key, known);
    }
  }
  for (const [key, { error, failed: cases }] of errors) {
    const verdict = cases.length === 0 ? 'ok' : `FAILED in ${cases.join(', ')}`;
    console.log(`${key.padEnd(28)} largest error ${error.toExponential(2).padStart(9)}  ${verdict}`);
  }
  for (const key of missing) console.log(`not built: ${key}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

const nameOf = (golden: unknown): string | null => {
  const name = typeof golden === 'object' && golden !== null ? (golden as { name?: unknown }).name : null;
  return typeof name === 'string' && name !== '' ? name : null;
};

function isTolerance(value: unknown): value is Tolerance {
  const { abs, rel } = (value ?? {}) as Partial<Tolerance>;
  return [abs, rel].every((x) => typeof x === 'number' && Number.isFinite(x) && x >= 0);
}

/** A case that breaks the checker counts as one failure with its reason, not as the end of the check. */
function entriesOf(checker: Checker, golden: unknown, tolerance: Tolerance): readonly Entry[] {
  try {
    return checker(golden as never, tolerance);
  } catch (error) {
    return [unreadable('case', error)];
  }
}

async function gpuEntries(
  checker: GpuChecker,
  gpu: Gpu,
  golden: unknown,
  tolerance: Tolerance,
): Promise<readonly Entry[]> {
  try {
    return await checker(gpu, golden as never, tolerance);
  } catch (error) {
    return [unreadable('case on the GPU', error)];
  }
}

function unreadable(key: string, error: unknown): Entry {
  const why = error instanceof Error ? error.message : String(error);
  return { key, built: true, passed: false, maxError: Infinity, reason: `It could not be checked (${why}).` };
}

/** A schema nothing here computes: every expected key is listed as not built. */
function expectedKeys(golden: unknown): Entry[] {
  const { expected, kind } = (golden ?? {}) as { expected?: unknown; kind?: string };
  const keys =
    kind !== undefined ? [kind] : typeof expected === 'object' && expected !== null ? Object.keys(expected) : [];
  return keys.map((key) => ({ key, built: false, passed: false, maxError: 0 }));
}

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
