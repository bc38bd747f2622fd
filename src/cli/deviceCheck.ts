import { writeFile } from 'node:fs/promises';
import { adapterFacts } from '../check/device/adapter.ts';
import { checkDevice } from '../check/device/checkDevice.ts';
import { wantedOf } from '../check/device/only.ts';
import { fileText, keptOf, PART_WORDS, PARTS, verdict, type CheckReport, type PartId } from '../check/device/report.ts';
import { digits } from '../core/digits.ts';
import type { Args } from './args.ts';
import { keepDifference } from './checkedDevices.ts';
import { entryOfNode, findNodeGpu } from './node.ts';

export const CHECK_USAGE = `npm run lab -- check [--backend cpu|webgpu] [--only PART-OR-KERNEL,…] [--out FILE.json]
  checks the graphics device, or the CPU path where there is none: kernels against their definitions, random numbers, short
  runs beside the CPU path, and speed; the exit code is 1 where something differs
  --only takes parts (${PARTS.join(', ')}) and names of kernels`;

/** Tells a part when it is over, once. */
function teller(): (report: CheckReport) => void {
  const told = new Set<PartId>();
  return ({ parts }) => {
    for (const { id, done, of, wrong } of parts) {
      if (of === 0 || done < of || told.has(id)) continue;
      told.add(id);
      console.log(`${PART_WORDS[id][0].padEnd(16)} ${done} checked, ${wrong} differ`);
    }
  };
}

const speed = (x: number): string => (x < 1000 ? digits(x) : Math.round(x).toLocaleString('en'));

/** A report as lines: what differs, the short runs and the speeds. */
function* linesOf({ findings, runs, speeds, adapter }: CheckReport): Generator<string> {
  for (const { preset, cpu, gpu, note } of runs)
    yield `${preset.padEnd(16)} digest ${cpu.slice(0, 12)}${gpu === null ? '' : gpu === cpu ? ' on both' : `, on the device ${gpu.slice(0, 12)}`}${note === null ? '' : ` (${note})`}`;
  for (const { what, unit, cpu, gpu } of speeds)
    yield `${what.padEnd(16)} CPU, one core: ${speed(cpu)} ${unit}${gpu === null ? '' : `; device: ${speed(gpu)} ${unit}, ${digits(gpu / cpu)} times as fast`}`;
  if (adapter) {
    yield `features         ${adapter.features.join(', ')}`;
    yield `limits           ${Object.entries(adapter.limits)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ')}`;
  }
  for (const { sentence } of findings) yield `DIFFERS          ${sentence}`;
}

/** `lab check`: what the page of the check does, without a page. */
export async function checkCommand({ words, options }: Args): Promise<number> {
  if (words.length !== 1) return say(`Usage: ${CHECK_USAGE}`);
  const { backend, out, only } = options;
  if (backend !== undefined && backend !== 'cpu' && backend !== 'webgpu') return say('--backend is cpu or webgpu.');
  const found = backend === 'cpu' ? 'The device was left out with --backend cpu.' : await findNodeGpu();
  const gpu = typeof found === 'string' ? null : found;
  const why = typeof found === 'string' ? found : null;
  if (why !== null && backend === 'webgpu') return say(why);
  console.log(gpu ? `device: ${gpu.name}` : `${why} Only the CPU path is checked.`);
  const adapter = gpu && (await adapterFacts(entryOfNode()));
  const report = await checkDevice({ gpu, why, adapter, ...wantedOf(only), tell: teller() });
  for (const line of linesOf(report)) console.log(line);
  console.log(verdict(report));
  const differs = keptOf(report, only !== undefined);
  if (report.name !== null && differs !== undefined) await keepDifference(report.name, differs);
  const isFine = report.findings.length === 0;
  if (out === undefined) return isFine ? 0 : 1;
  try {
    await writeFile(out, fileText(report));
  } catch (error) {
    return say(`The report could not be written to ${out}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return isFine ? 0 : 1;
}

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}
