import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { markdownTable, peerWins } from './table.ts';
import type { Report } from './types.ts';

const BEGIN = '<!-- measured: written by npm run bench -- all --write -->';
const END = '<!-- end of measured -->';
/** What was measured on hardware stands between marks of its own. */
const BEGIN_GPU = '<!-- measured on a GPU: written by npm run bench -- all --gpu --write -->';
const END_GPU = '<!-- end of measured on a GPU -->';
const PEERS = ['@tensorflow/tfjs-core', '@jax-js/jax', 'onnxruntime-web'];

const TITLES: readonly (readonly [RegExp, string])[] = [
  [/^check/, 'Is this device right?'],
  [/^ceiling/, 'Ceilings of this device'],
  [/^matmul/, 'Products'],
  [/^training step/, 'Training step'],
  [/^convolution step/, 'Training step of a convolution network'],
  [/^full update/, 'Full update'],
  [/^(rollout|update|replicas) /, 'Scaling'],
  [/^credit/, 'Credit'],
  [/^sweep/, 'A small ablation'],
];

/** Versions of the peers, from the packages that are installed. */
async function versions(root: string): Promise<string> {
  const list = PEERS.map(async (name) => {
    const text = await readFile(`${root}/node_modules/${name}/package.json`, 'utf8');
    return `${name} ${(JSON.parse(text) as { version: string }).version}`;
  });
  return (await Promise.all(list)).join(', ');
}

/** What was measured, here or elsewhere, as text between two marks; what people wrote around it stays. */
export async function writeDocs(
  root: string,
  { device, rows, failures }: Report,
  about: string,
  day: string,
  isHere = true,
): Promise<void> {
  const path = `${root}/docs/benchmarks.md`;
  const text = await readFile(path, 'utf8');
  const [begin, end] = device.software ? [BEGIN, END] : [BEGIN_GPU, END_GPU];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/benchmarks.md has lost its marks ${begin}.`);
  const wins = peerWins(rows);
  const parts = [
    `Measured ${isHere ? 'on' : 'elsewhere, and written on'} ${day}: ${device.adapter}` +
      `${device.software ? ' (shaders run on the CPU: no statement about a GPU)' : ''}, ${device.engine}, ${device.cores} cores` +
      `${isHere ? `, Node ${process.version}, load average ${loadavg()[0]!.toFixed(1)} at the end` : ''}. ` +
      `${await versions(root)}. ${about}`.trim(),
    ...TITLES.flatMap(([names, title]) => {
      const some = rows.filter((row) => names.test(row.name));
      return some.length > 0 ? [`### ${title}`, markdownTable(some)] : [];
    }),
    '### Where a peer is faster',
    wins.length > 0 ? wins.map((line) => `- ${line}`).join('\n') : 'Nowhere in these tables.',
    ...(failures.length > 0 ? ['### Failed', failures.map((line) => `- ${line}`).join('\n')] : []),
  ];
  await writeFile(path, `${before}${begin}\n\n${parts.join('\n\n')}\n\n${end}${after}`);
}
