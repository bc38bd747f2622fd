import { openGpu } from '../src/gpu/device.ts';
import { runCases } from './run.ts';
import { NO_WEBGPU, type Device, type Options, type Row } from './types.ts';

declare global {
  interface Window {
    /** put there by the command that opened the page; says whether this device is to be measured */
    benchDevice(device: Device): Promise<boolean>;
    benchRow(row: Row): Promise<void>;
    benchFailed(sentence: string): Promise<void>;
    benchSkipped(name: string): Promise<void>;
    runBench(options: Options, leftMs: number): Promise<void>;
  }
}

/** Runs a command in this page; rows go to the command line as they come. */
window.runBench = async (options, leftMs) => {
  const until = performance.now() + leftMs;
  const opened = await openGpu();
  const gpu = opened.ok ? opened.value : null;
  const device: Device = {
    adapter: gpu?.name ?? NO_WEBGPU,
    software: gpu?.software ?? true,
    engine: `${/Chrom\w*\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? 'browser'}${crossOriginIsolated ? '' : ', threads off'}`,
    cores: navigator.hardwareConcurrency,
  };
  if (!(await window.benchDevice(device))) return;
  const failures: Promise<void>[] = [];
  gpu?.device.addEventListener('uncapturederror', (event) => {
    const { message } = (event as GPUUncapturedErrorEvent).error;
    failures.push(window.benchFailed(`The device reports: ${message.split('\n')[0]}`));
  });
  await runCases({
    ...{ options, gpu, device, peers: true, ceilings: { flops: 0, bytes: 0 }, until },
    skipped: (name) => void window.benchSkipped(name),
    row: (row) => void window.benchRow(row),
    failed: (sentence) => void failures.push(window.benchFailed(sentence)),
  });
  await Promise.all(failures);
};
