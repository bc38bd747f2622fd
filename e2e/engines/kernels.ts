/**
 * Kernels whose cases run in Firefox: one or more of each kind (scans, sums with barriers, random
 * numbers and draws, layers forward and backward, attention, recurrence, the optimizer, rollouts, metrics). All of them run on
 * the same implementation and driver in Deno.
 */
export const KERNELS = [
  ...['reverseScan', 'segmentStats', 'wholeStats', 'keyMatch', 'levelSums'],
  ...['policyHead', 'restrict'],
  ...[
    'activation',
    'denseForward',
    'denseBackward',
    'denseGradient',
    'fusedForward',
    'layerNorm',
    'attention',
    'gruCell',
  ],
  ...['tokenLinear', 'tokenHead', 'optimize', 'gradNorm'],
  ...['coefficients', 'sparseGradient', 'lossSums', 'rollout', 'fusedRollout', 'batchStats', 'updateStats'],
] as const;
