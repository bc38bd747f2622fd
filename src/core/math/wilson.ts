const Z = 1.95996;

/** Wilson interval of a share k/n, at 95 % unless told otherwise, cut to [0, 1]; n = 0: [0, 1]. */
export function wilsonInterval(successes: number, trials: number, z = Z): [low: number, high: number] {
  if (trials === 0) return [0, 1];
  const p = successes / trials;
  const z2n = (z * z) / trials;
  const center = (p + z2n / 2) / (1 + z2n);
  const half = (z * Math.sqrt((p * (1 - p)) / trials + (z * z) / (4 * trials * trials))) / (1 + z2n);
  return [Math.max(0, center - half), Math.min(1, center + half)];
}
