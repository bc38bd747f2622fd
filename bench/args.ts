import { COMMANDS, type Options } from './types.ts';

export type Args = Options & {
  /** run in Node through Dawn instead of in a browser */
  readonly node: boolean;
  readonly json: string | null;
  /** a hardware device or nothing, WebGPU rows only */
  readonly gpu: boolean;
  /** a folder that gets report.json and report.md, each row as it comes */
  readonly report: string | null;
  /** writes docs/benchmarks.md */
  readonly write: boolean;
};

export const USAGE =
  `npm run bench -- ${COMMANDS.join('|')}|all ` +
  '[--quick] [--gpu] [--backend webgpu|cpu] [--only NAME] [--json FILE] [--report DIR] [--node] [--write], ' +
  'or forecast [--only NAME], or model [--before REVISION|COUNTS.json], or pack FOLDER, or write REPORT.json …';

/** The words of the command line, or one sentence about what is wrong with them. */
export function readBenchArgs(argv: readonly string[]): Args | string {
  const [command, ...rest] = argv;
  const known = [...COMMANDS, 'all'] as const;
  const found = known.find((name) => name === command);
  if (!found) return `Usage: ${USAGE}`;
  let [quick, node, write, gpu] = [false, false, false, false];
  let backend: Options['backend'] = 'both';
  let [json, only, report] = [null as string | null, null as string | null, null as string | null];
  for (let k = 0; k < rest.length; k++) {
    const word = rest[k]!;
    const value = rest[k + 1];
    if (word === '--quick') quick = true;
    else if (word === '--node') node = true;
    else if (word === '--write') write = true;
    else if (word === '--gpu') gpu = true;
    else if (!['--backend', '--only', '--json', '--report'].includes(word))
      return `There is no option ${word.slice(0, 40)}. ${USAGE}`;
    else if (value === undefined) return `The option ${word} needs a value.`;
    else {
      k++;
      if (word === '--json') json = value;
      else if (word === '--report') report = value;
      else if (word === '--only') only = value;
      else if (value === 'webgpu' || value === 'cpu') backend = value;
      else return `The option --backend is webgpu or cpu, not ${value.slice(0, 40)}.`;
    }
  }
  if (gpu) backend = 'webgpu';
  return { command: found, quick, backend, only, node, json, gpu, report, write, threads: true };
}
