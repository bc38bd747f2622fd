import { describe, expect, test } from 'vitest';
import { makeKernels, plainKernels, type Kernels } from '../../networks/kernels.ts';
import { checkDevice } from './checkDevice.ts';
import { cpuChecks } from './cpuPath.ts';
import { loadCases, sentenceOf } from './kernelCases.ts';
import { fileText, keptOf, ofDevice, PARTS, verdict, type CheckReport, type Finding } from './report.ts';
import { COMPARED, cpuDiffers, KNOWN, playCpu, SEEDS, UPDATES } from './shortRuns.ts';

const NO_DEVICE = { gpu: null, why: 'This browser has no WebGPU.', adapter: null } as const;

describe('the short runs on the CPU path', () => {
  test('have a known digest each', () => {
    expect(Object.keys(KNOWN)).toEqual([...COMPARED]);
    expect(new Set(Object.values(KNOWN)).size).toBe(COMPARED.length);
  });

  test.each(COMPARED)('%s ends with it', async (id) => {
    const { run } = await playCpu(id);
    expect(run.cpu).toBe(KNOWN[id]);
    expect(cpuDiffers(run)).toBeNull();
  });

  test('one that ends with another digest is said', () => {
    const run = { preset: 'key-door', updates: UPDATES, seeds: SEEDS, cpu: 'f'.repeat(64), gpu: null, note: null };
    expect(cpuDiffers(run)).toBe(
      `key-door has the digest ffffffffffff after 3 updates, where every engine has ${KNOWN['key-door']!.slice(0, 12)}.`,
    );
  });
});

describe('the CPU path', () => {
  test('is right', () => {
    expect(cpuChecks().map(({ judge }) => judge())).toEqual(cpuChecks().map(() => null));
  });

  test('SIMD kernels that give one other bit are found, layer by layer', () => {
    const wrong = (): Kernels => {
      const { denseForward } = plainKernels;
      return {
        ...plainKernels,
        denseForward(...given) {
          denseForward(...given);
          const Y = given[4];
          Y[Y.length - 1] = Math.fround(Y[Y.length - 1]! * (1 + 2 ** -23));
        },
      };
    };
    const said = cpuChecks(wrong).map(({ judge }) => judge());
    expect(said[0]).toBeNull();
    for (const sentence of said.slice(1)) expect(sentence).toMatch(/^The SIMD kernels give other bits/);
    expect(said.length).toBeGreaterThan(3);
  });

  test('is checked with the SIMD kernels, where there are any', () => {
    expect(makeKernels(64, 4096).isFast).toBe(true);
  });
});

describe('without a device', () => {
  const asked = { ...NO_DEVICE, parts: PARTS.filter((id) => id !== 'speed'), presets: ['bonus-trap'] };

  test('what can be checked is, and the report says so', async () => {
    const told: CheckReport[] = [];
    const report = await checkDevice({ ...asked, tell: (so) => told.push(so) });
    expect(report.parts.map(({ id }) => id)).toEqual(['paths', 'runs']);
    expect(report.parts.every(({ done, of, wrong }) => done === of && of > 0 && wrong === 0)).toBe(true);
    expect(report.runs).toEqual([
      { preset: 'bonus-trap', updates: 3, seeds: 2, cpu: KNOWN['bonus-trap'], gpu: null, note: null },
    ]);
    expect(verdict(report)).toBe('This browser has no WebGPU. The CPU path was checked and is right.');
    expect(told.every(({ isWhole }) => !isWhole)).toBe(true);
    expect(report.isWhole).toBe(true);
  });

  test('it stops where it is told to, and says that this is not all', async () => {
    let compared = 0;
    const report = await checkDevice({ ...asked, tell: () => compared++, isStopped: () => compared > 0 });
    expect(report.isWhole).toBe(false);
    expect(report.runs).toEqual([]);
    expect(verdict(report)).toBe('Nothing differs in what was compared so far.');
  });

  test('an experiment that cannot be had is a finding and not the end', async () => {
    const report = await checkDevice({ ...asked, presets: ['no-such-preset', 'bonus-trap'] });
    expect(report.findings).toEqual([
      {
        part: 'paths',
        name: 'no-such-preset',
        sentence: 'The short run of no-such-preset did not get to its end: There is no preset no-such-preset.',
      },
    ]);
    expect(report.runs.length).toBe(1);
  });
});

test('the report that is saved names the lab, the adapter and what was found, and nothing else', async () => {
  const report = await checkDevice({ ...NO_DEVICE, parts: ['paths'] });
  const file = JSON.parse(fileText(report)) as Record<string, unknown>;
  expect(Object.keys(file).sort()).toEqual(
    'adapter commit findings hasSimd isWhole lab name parts runs schema speeds why'.split(' '),
  );
});

test('a device is asked for no kernel that binds more storage buffers than it allows', async () => {
  const namesOf = async (storage: number): Promise<string[]> =>
    (await loadCases((file) => file === 'coefficientsOfHead', storage)).flatMap(({ cases }) =>
      cases.map(({ name }) => name),
    );
  const all = await namesOf(9);
  expect(await namesOf(8)).toEqual(all.filter((name) => name.endsWith('without a step')));
  expect((await namesOf(8)).length).toBeLessThan(all.length);
});

describe('sentences', () => {
  const finding = (part: Finding['part'], sentence: string): Finding => ({ part, name: 'x', sentence });
  const device = { name: 'a device', why: null, isWhole: true };

  test('a file of kernels is named once, with its first difference', () => {
    expect(sentenceOf('combine', 1, ['combine 3: z[0] is 1, the definition says 2'])).toBe(
      'combine differs in its only case; it is combine 3: z[0] is 1, the definition says 2.',
    );
    expect(sentenceOf('combine', 9, ['a', 'b'])).toBe('combine differs in 2 of its 9 cases; the first is a.');
    expect(sentenceOf('combine', 9, [])).toBeNull();
  });

  test('the verdict tells the first difference, and whose it is', () => {
    const own = finding('kernels', 'combine differs.');
    expect(verdict({ ...device, findings: [own] })).toBe(
      'This device computes something else than it should: combine differs.',
    );
    expect(verdict({ ...device, findings: [own, own, own] })).toMatch(/combine differs\. \(and 2 more\)$/);
    expect(verdict({ ...device, findings: [finding('paths', 'Wrong.')] })).toMatch(/^The CPU path of this browser/);
    expect(verdict({ ...device, findings: [] })).toMatch(/^Everything that was compared agrees/);
  });

  test('what is wrong with the CPU path is no difference of the device', () => {
    const own = finding('random', 'Wrong.');
    expect(ofDevice([finding('paths', 'Wrong.'), own])).toEqual([own]);
  });

  test('a difference is kept from any check; that there is none only from a whole one of everything', () => {
    const kept = (found: readonly Finding[], isWhole: boolean, isPart: boolean) =>
      keptOf({ findings: found, isWhole }, isPart);
    const own = finding('random', 'Wrong.');
    expect(kept([own], false, true)).toBe('Wrong.');
    expect(kept([own, own], true, false)).toBe('Wrong. There are 2 differences.');
    expect(kept([finding('paths', 'Wrong.')], true, false)).toBeNull();
    expect(kept([], true, true)).toBeUndefined();
    expect(kept([], false, false)).toBeUndefined();
  });
});
