import type { Problem } from '../../core/problem.ts';
import type { DeviceReport } from '../../worker/protocol.ts';
import { report } from '../stores/run.ts';
import { isSeen } from './seen.ts';

/** Says once why runs train on the CPU here. */
export function reportDevice(device: DeviceReport): void {
  const { webgpu, adapter, why, differs } = device;
  if (differs !== null) void import('../check/differs.ts').then((m) => m.warnOf(device));
  if (why === null) return;
  const slow: Problem = webgpu ? { kind: 'softwareAdapter', name: adapter } : { kind: 'noWebGpu', why };
  if (!isSeen(slow)) report(slow);
}
