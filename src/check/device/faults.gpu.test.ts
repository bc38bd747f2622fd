import { afterAll, beforeEach, expect, test } from 'vitest';
import { must } from '../../core/problem.ts';
import { openGpu, type Gpu } from '../../gpu/device.ts';
import { checkDevice } from './checkDevice.ts';
import { loadCases } from './kernelCases.ts';
import type { CheckReport, Finding, PartId } from './report.ts';

/** A device that is wrong: one place of the WGSL that it is given says something else. */
type Fault = {
  readonly name: string;
  readonly says: RegExp;
  readonly instead: string;
  /** kernels among which the check looks, and the one that it must name */
  readonly kernels: RegExp;
  readonly named: string;
};

const FAULTS: readonly Fault[] = [
  {
    name: 'a barrier is dropped from a tree of sums',
    says: /(partial\[local\] \+= partial\[local \+ half\]; \})\s*workgroupBarrier\(\);/,
    instead: '$1',
    kernels: /^(gradNorm|combine)$/,
    named: 'gradNorm',
  },
  {
    name: 'the softmax does not subtract the largest logit',
    says: /top = max\(top, x \* dims\.inverse\);/,
    instead: 'top = 0.0;',
    kernels: /^(policyHead|combine)$/,
    named: 'policyHead',
  },
  {
    name: 'a sum over rows leaves out the last one',
    says: /i < dims\.B; i \+= dims\.lanes \/ dims\.pieces\)/,
    instead: 'i + 1u < dims.B; i += dims.lanes / dims.pieces)',
    kernels: /^(batchStats|combine)$/,
    named: 'batchStats',
  },
  {
    name: 'the discount counts twice',
    says: /carry = b\[start \+ t\] \+ dims\.a \* carry;/,
    instead: 'carry = b[start + t] + dims.a * dims.a * carry;',
    kernels: /^(reverseScan|combine)$/,
    named: 'reverseScan',
  },
];
const ROTATION = { says: /vec4u\(13u, 15u,/, instead: 'vec4u(12u, 15u,' };

const gpu: Gpu = must(await openGpu());
const { device } = gpu;
const shaderOf = device.createShaderModule.bind(device);
let [fault, hits]: [Pick<Fault, 'says' | 'instead'> | null, number] = [null, 0];
device.createShaderModule = (described) => {
  const code = fault ? described.code.replace(fault.says, fault.instead) : described.code;
  if (code !== described.code) hits++;
  return shaderOf({ ...described, code });
};

beforeEach(() => {
  [fault, hits] = [null, 0];
  // a kernel is compiled once per device
  gpu.pipelines.clear();
});
afterAll(() => gpu.lose());

const looked = (parts: readonly PartId[], kernels: RegExp, presets: readonly string[] = []): Promise<CheckReport> =>
  checkDevice({ gpu, why: null, adapter: null, parts, kernels: (file) => kernels.test(file), presets });
const namesOf = (findings: readonly Finding[]): string[] => findings.map(({ name }) => name);

test('a right device: nothing is found in any of these kernels, nor in a short run', async () => {
  const all = new RegExp(FAULTS.map(({ kernels }) => kernels.source).join('|'));
  const report = await looked(['random', 'kernels', 'runs'], all, ['bonus-trap']);
  expect(report.findings).toEqual([]);
  expect(report.isWhole).toBe(true);
  for (const { done, of } of report.parts) expect([done, of > 0]).toEqual([of, true]);
  const [run] = report.runs;
  expect(run!.gpu).toBe(run!.cpu);
});

test.each(FAULTS.map((one) => [one.name, one] as const))('%s: the check names it', async (_name, one) => {
  fault = one;
  const { findings } = await looked(['kernels'], one.kernels);
  expect(hits).toBeGreaterThan(0);
  expect(namesOf(findings)).toEqual([one.named]);
  expect(findings[0]!.sentence).toMatch(new RegExp(`^${one.named} differs in .*the definition says`));
});

test('the random numbers rotate by another number of bits: the check names them, and the run that parts', async () => {
  fault = ROTATION;
  const { findings, runs } = await looked(['random', 'runs'], /^$/, ['bonus-trap']);
  expect(hits).toBeGreaterThan(0);
  expect(namesOf(findings)).toEqual(['random', 'bonus-trap']);
  expect(findings[1]!.sentence).toMatch(/episodes of update 1 of bonus-trap differ from those of the CPU path\.$/);
  expect(runs[0]!.gpu).not.toBe(runs[0]!.cpu);
});

test('a kernel that the driver refuses is a difference, and what comes after it is judged by itself', async () => {
  fault = { says: /carry = b\[start \+ t\]/, instead: 'carry = nothing' };
  const { findings } = await looked(['kernels'], /^(reverseScan|combine)$/);
  expect(namesOf(findings)).toEqual(['reverseScan']);
  expect(findings[0]!.sentence).toMatch(/the driver refuses the kernel/);
});

test('without being told which, it takes all files of kernels, each with cases', async () => {
  const all = await loadCases();
  expect(all.length).toBeGreaterThan(70);
  expect(all.filter(({ cases }) => cases.length === 0).map(({ name }) => name)).toEqual([]);
  for (const { named } of FAULTS) expect(all.map(({ name }) => name)).toContain(named);
});
