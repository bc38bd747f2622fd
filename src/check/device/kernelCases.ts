import { check, type Case } from '../../gpu/conformance.ts';
import type { Gpu } from '../../gpu/device.ts';
import { bindingsOf, codeOf } from '../../gpu/kernel.ts';
import { KernelRejected } from '../../gpu/refused.ts';

type Module = { readonly cases: readonly Case[] };

/** The files of kernels with the cases that their own tests run, loaded when somebody asks. */
const FILES = import.meta.glob<Module>('../../gpu/shaders/*/*/*.ts');

/** The cases of one file of kernels, by its name. */
export type CaseFile = { readonly name: string; readonly cases: readonly Case[] };

/** The file of a path: `…/credit/reverseScan/reverseScan.ts` is reverseScan. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);

/** Storage buffers that a case binds at once: a run uses no kernel that binds more than its device allows. */
const storageOf = ({ kernel, after = [] }: Case): number =>
  Math.max(
    ...[kernel, ...after.map((call) => call.kernel)].map(
      (one) => bindingsOf(codeOf(one)).filter(({ kind }) => kind !== 'uniform').length,
    ),
  );

/** Cases of the files that `wanted` names, of all by default, in the order of their folders, with at most so many storage buffers. */
export async function loadCases(
  wanted: (file: string) => boolean = () => true,
  storage = Infinity,
): Promise<CaseFile[]> {
  const found: CaseFile[] = [];
  for (const [path, load] of Object.entries(FILES)) {
    const name = nameOf(path);
    if (wanted(name)) found.push({ name, cases: (await load()).cases.filter((one) => storageOf(one) <= storage) });
  }
  return found;
}

/** What is wrong with one case on this device, in words, or null. What the device refuses is wrong, too. */
async function judge(gpu: Gpu, one: Case): Promise<string | null> {
  try {
    return await check(gpu, one);
  } catch (error) {
    // what comes next is judged by itself
    gpu.complaint = null;
    const why = (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
    return error instanceof KernelRejected
      ? `${one.name}: the driver refuses the kernel ${error.kernel} (${why})`
      : `${one.name}: it did not run (${why})`;
  }
}

/** One sentence about the cases of a file that differ, or null. */
export function sentenceOf(file: string, of: number, wrong: readonly string[]): string | null {
  const [first] = wrong;
  if (first === undefined) return null;
  const share = of === 1 ? 'in its only case' : `in ${wrong.length} of its ${of} cases`;
  return `${file} differs ${share}; ${wrong.length === 1 ? 'it is' : 'the first is'} ${first}.`;
}

/** What a check wants to know while it goes on, and whether it is to stop. */
export type Watch = {
  /** another case was compared; `isWrong`: it differs */
  readonly done: (isWrong: boolean) => void;
  readonly isOver: () => boolean;
};

/** Runs the cases of a file; one sentence about what differs, or null. Ends early where the device is gone. */
export async function checkFile(gpu: Gpu, { name, cases }: CaseFile, watch: Watch): Promise<string | null> {
  const wrong: string[] = [];
  for (const one of cases) {
    if (watch.isOver()) break;
    const sentence = await judge(gpu, one);
    if (sentence !== null) wrong.push(sentence);
    watch.done(sentence !== null);
    if (gpu.isLost) return `The device went away while ${one.name} ran on it.`;
  }
  return sentenceOf(name, cases.length, wrong);
}
