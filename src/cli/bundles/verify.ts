import { open } from 'node:fs/promises';
import { decodeLink, payloadOf } from '../../config/link.ts';
import { problemLine } from '../../config/problems.ts';
import type { MakeBackend } from '../../engine/backend.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { readBundle, type ReadBundle, type ReadRun } from '../../lab/bundle/readBundle.ts';
import { foreignOf } from '../../lab/bundle/linkOfRun.ts';
import { filedInParts } from '../../lab/runs/filed.ts';
import { episodesOf, shortExact, summaryBy } from '../../lab/runs/summary.ts';
import { verifyClaim, type Claim } from '../../lab/runs/trainAgain.ts';
import { verdictWords, type Verdict } from '../../lab/runs/verify.ts';
import type { Args } from '../args.ts';
import { nodeBackend } from '../node.ts';

export const VERIFY_USAGE = `npm run lab -- verify <bundle.zip | link>
  trains it again and compares; exit code 0: identical, 3: equivalent, 4: different, 1: it could not be checked`;

/** Exit codes, so that scripts can tell what came out. */
const CODES: Readonly<Record<Verdict['kind'], number>> = { identical: 0, equivalent: 3, different: 4 };

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

async function claimOf({ manifest, config, curves, overview }: ReadRun, name: string): Promise<Claim> {
  const { backend, lab: version, digests } = manifest;
  const summary = summaryBy(overview.numbers, episodesOf(config));
  const expect = { backend, version, exact: shortExact(digests.exact), summary };
  return { name, config, expect, curves: { foreign: foreignOf(overview), parts: await filedInParts(curves) } };
}

/** The bundle in a file, of which a piece at a time is in memory. */
async function readFrom(path: string): Promise<ReadBundle> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await readBundle({
      size,
      async read(from, to) {
        const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
        return bytes.subarray(0, bytesRead);
      },
    });
  } finally {
    await file.close();
  }
}

/** The claims of a bundle or a link. A text is the sentence of why there are none. */
export async function claimsOf(what: string): Promise<readonly Claim[] | string> {
  if (!/\.zip$/i.test(what)) {
    const shared = decodeLink(payloadOf(what));
    if (!shared.ok) return problemLine(shared.problem);
    const { config, expect, title = 'link' } = shared.value;
    return expect ? [{ name: title, config, expect, curves: null }] : 'This link carries no result to compare with.';
  }
  const read = await readFrom(what).catch(
    (error: unknown) => `“${what}” could not be read: ${error instanceof Error ? error.message : String(error)}.`,
  );
  if (typeof read === 'string') return read;
  if (read.kind === 'refused') return `The bundle was not opened. ${read.why}`;
  if (read.kind === 'run') return [await claimOf(read.run, read.run.manifest.title || what)];
  const { cells, groups } = read.sweep;
  return Promise.all(
    read.runs.map((run, k) => claimOf(run, `${groups[cells[k]!.group]!.name}, seed ${cells[k]!.seed}`)),
  );
}

/** Verifies a bundle or a link. Resolves with the exit code: the worst of a sweep's cells. */
export async function verifyCommand({ words }: Args): Promise<number> {
  const [, what] = words;
  if (what === undefined || words.length !== 2) return say(`Usage: ${VERIFY_USAGE}`);
  const claims = await claimsOf(what);
  if (typeof claims === 'string') return say(claims);
  let makeBackend: MakeBackend = makeCpuBackend;
  if (claims.some(({ expect }) => expect.backend === 'webgpu')) {
    const gpu = await nodeBackend();
    if (typeof gpu === 'string') console.error(`${gpu} It is trained on the CPU path.`);
    else makeBackend = gpu;
  }
  let code = 0;
  for (const claim of claims) {
    console.log(`${claim.name}: training ${claim.expect.summary.updates} updates again`);
    const verdict = await verifyClaim(claim, claim.expect.backend === 'webgpu' ? makeBackend : makeCpuBackend);
    if (typeof verdict === 'string') return say(verdict);
    console.log(verdictWords(verdict));
    for (const sentence of verdict.environment) console.log(sentence);
    code = Math.max(code, CODES[verdict.kind]);
  }
  return code;
}
