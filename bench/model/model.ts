import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CASES } from './cases.ts';
import { count, type Counted } from './count.ts';
import { countRevision } from './countRevision.ts';
import { DEVICES } from './devices.ts';
import { checkTable, kernelTable, rateTable, trafficTable, type Told } from './modelTable.ts';

export const MODEL_USAGE =
  'npm run bench -- model [--before REVISION|COUNTS.json] [--json COUNTS.json] [--kernels UPDATE] [--shares]';

type ModelArgs = { before: string | null; json: string | null; kernels: string | null; shares: boolean };

/** The words after `model`, or one sentence about what is wrong with them. */
export function readModelArgs(words: readonly string[]): ModelArgs | string {
  const args: ModelArgs = { before: null, json: null, kernels: null, shares: false };
  for (let k = 0; k < words.length; k++) {
    const [word, value] = [words[k]!, words[k + 1]];
    if (word === '--shares') args.shares = true;
    else if (!['--before', '--json', '--kernels'].includes(word))
      return `There is no option ${word.slice(0, 40)}. ${MODEL_USAGE}`;
    else if (value === undefined) return `The option ${word} needs a value.`;
    else {
      args[word.slice(2) as 'before' | 'json' | 'kernels'] = value;
      k++;
    }
  }
  return args;
}

/** Counts of another tree: from a file that `--json` has written, or of a revision. */
const countsOf = (root: string, before: string): Counted[] =>
  existsSync(before) && before.endsWith('.json')
    ? (JSON.parse(readFileSync(before, 'utf8')) as Counted[])
    : countRevision(root, before);

/**
 * What updates of key and door cost by the model: dispatches, bytes and arithmetic are counted on a device that computes
 * nothing, and times follow from the assumptions in devices.ts. Everything that is printed here is an estimate.
 */
export async function model(root: string, words: readonly string[]): Promise<void> {
  const args = readModelArgs(words);
  if (typeof args === 'string') throw new Error(args);
  const now: Counted[] = [];
  for (const one of CASES) now.push(await count(one));
  if (args.json !== null) writeFileSync(args.json, `${JSON.stringify(now)}\n`);
  const told: Told[] = [{ title: 'now', counts: now }];
  if (args.before !== null) told.unshift({ title: 'before', counts: countsOf(root, args.before) });
  console.log(
    'Estimates of a model, in million trained steps per second; no device has been measured for this table.\n',
  );
  console.log(`${rateTable(CASES, told, DEVICES)}\n`);
  console.log(`${trafficTable(told)}\n`);
  const measured = DEVICES.find(({ name }) => name === 'H200')!;
  for (const one of told) {
    console.log(`The model of an H200 (${one.title}) beside what was measured there on 2026-11-27:\n`);
    console.log(`${checkTable(CASES, one, measured)}\n`);
  }
  if (args.kernels !== null) {
    const asked = now.filter(({ name }) => name.includes(args.kernels!));
    if (asked.length === 0)
      throw new Error(`No update has “${args.kernels}” in its name: ${now.map(({ name }) => name).join('; ')}.`);
    for (const counted of asked)
      for (const device of DEVICES)
        console.log(`${counted.name}, ${device.name}:\n\n${kernelTable(counted, device)}\n`);
  }
  if (args.shares) console.log(await (await import('./shares.ts')).shares());
}
