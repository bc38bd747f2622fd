import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { nodeGpu } from '../src/cli/node.ts';
import type { Args } from './args.ts';
import { Progress } from './progress.ts';
import { keeper } from './report.ts';
import { NO_WEBGPU, noHardware, type Device, type Report } from './types.ts';

/** What peers look for when they load: WebGPU where a browser has it, and the names that old packages expect in Node. */
function prepareForPeers(): void {
  Object.assign(globalThis, { __dirname: dirname(process.argv[1]!), require: createRequire(import.meta.url) });
  const { dawnInstance } = globalThis as { dawnInstance?: GPU };
  if (!('navigator' in globalThis))
    Object.assign(globalThis, { navigator: { userAgent: 'Node', hardwareConcurrency: 1 } });
  if (dawnInstance) Object.defineProperty(navigator, 'gpu', { value: dawnInstance, configurable: true });
}

/** The same cases in Node, on Dawn: ours, and the peers that run here. */
export async function runInNode({ command, quick, backend, only, gpu: mustBeHardware, report }: Args): Promise<Report> {
  const opened = backend === 'cpu' ? 'WebGPU was not asked for.' : await nodeGpu();
  const gpu = typeof opened === 'string' ? null : opened;
  if (typeof opened === 'string' && backend !== 'cpu') console.error(opened);
  if (mustBeHardware && (!gpu || gpu.software)) throw new Error(noHardware(gpu?.name ?? NO_WEBGPU));
  prepareForPeers();
  const { runCases } = await import('./run.ts');
  const device: Device = {
    adapter: gpu?.name ?? NO_WEBGPU,
    software: gpu?.software ?? true,
    engine: `Node ${process.version}`,
    cores: availableParallelism(),
  };
  const progress = new Progress(
    { quick, command },
    keeper(report, () => device),
  );
  const until = performance.now() + progress.leftMs;
  await runCases({
    ...{
      options: { command, quick, backend, only, threads: true },
      gpu,
      device,
      peers: true,
      ceilings: { flops: 0, bytes: 0 },
    },
    ...progress.sinks,
    until,
  });
  return { device, rows: progress.rows, failures: progress.failures, skipped: progress.missed };
}
