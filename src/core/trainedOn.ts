/** Which path trained a result: one of them alone, or both in turn. */
export const TRAINED_ON = ['cpu', 'webgpu', 'both'] as const;
export type TrainedOn = (typeof TRAINED_ON)[number];

/** The same for people. */
export const PATHS: Readonly<Record<TrainedOn, string>> = {
  cpu: 'the CPU path',
  webgpu: 'WebGPU',
  both: 'the CPU path and WebGPU in turn',
};
