import { existsSync } from 'node:fs';
import { problemLine } from '../config/problems.ts';
import { openGpu, type Gpu } from '../gpu/device.ts';
import type { MakeBackend } from '../engine/backend.ts';
import { warningOf } from './checkedDevices.ts';
import { gpuBackendOn } from '../engine/gpu/gpuBackend.ts';

/** Where Debian's Chromium keeps the description of its software Vulkan device, for machines without a GPU. */
const SOFTWARE_ICD = [
  '/usr/lib/chromium/vk_swiftshader_icd.json',
  '/usr/lib64/chromium-browser/vk_swiftshader_icd.json',
];

/** Where devices come from: what the runtime brings along, as Deno does, or Dawn once it is loaded. */
export function entryOfNode(): GPU | null {
  const { navigator: own, dawnInstance } = globalThis as { navigator?: { gpu?: GPU }; dawnInstance?: GPU };
  return own?.gpu ?? dawnInstance ?? null;
}

/** A device of the runtime itself, or in Node through Dawn (package `webgpu`); or why there is none, in one sentence. */
export async function findNodeGpu(): Promise<Gpu | string> {
  const own = entryOfNode() ?? (await dawn());
  if (typeof own === 'string') return own;
  const opened = await openGpu(own);
  if (opened.ok) return opened.value;
  return opened.problem.kind === 'noWebGpu'
    ? 'This machine has no graphics device for WebGPU.'
    : problemLine(opened.problem);
}

async function dawn(): Promise<GPU | string> {
  const icd = SOFTWARE_ICD.find((path) => existsSync(path));
  if (icd && !process.env['VK_ICD_FILENAMES'] && !existsSync('/dev/dri') && !existsSync('/dev/nvidia0'))
    process.env['VK_ICD_FILENAMES'] = icd;
  try {
    const dawn = await import('webgpu');
    Object.assign(globalThis, dawn.globals);
    const gpu = dawn.create([]);
    // Dawn ends the process when the instance is collected while its devices live
    Object.assign(globalThis, { dawnInstance: gpu });
    return gpu;
  } catch (error) {
    return `WebGPU in Node needs the package “webgpu”, which could not be loaded (${error instanceof Error ? error.message : String(error)}).`;
  }
}

/**
 * The same for an experiment: the page would continue with the CPU path, but here someone has asked for another one. Warns
 * where a check has found that the device computes differently.
 */
export async function nodeGpu(): Promise<Gpu | string> {
  const found = await findNodeGpu();
  if (typeof found === 'string')
    return `The experiment asks for WebGPU. ${found.replace(/\.$/, '')}; use --backend cpu.`;
  const warning = await warningOf(found.name);
  if (warning) console.error(warning);
  return found;
}

/** WebGPU backends in Node; a sentence when there is no device. */
export async function nodeBackend(): Promise<MakeBackend | string> {
  const gpu = await nodeGpu();
  return typeof gpu === 'string' ? gpu : gpuBackendOn(gpu);
}
