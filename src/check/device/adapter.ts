import type { AdapterFacts } from './report.ts';

/** Limits that decide how large a run may be, in the order in which they are told. */
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupsPerDimension',
] as const;

/** What the adapter says of itself; null where there is none. `gpu` is given by Node, where there is no navigator. */
export async function adapterFacts(gpu: GPU | null): Promise<AdapterFacts | null> {
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (!adapter) return null;
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const all = `${vendor} ${architecture} ${description}`;
  return {
    ...{ vendor, architecture, device, description },
    isSoftware: isFallbackAdapter || /swiftshader|llvmpipe|basic render|warp/i.test(all),
    features: [...adapter.features].sort(),
    limits: Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]])),
  };
}
