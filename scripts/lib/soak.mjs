/** What a soak measures, and when it fails. */

const MB = 1e6;
/** The most that page and workers may grow between the first and the last measurement, whatever the minutes. */
export const BUDGET = 20 * MB;
/** Points of a curve that is drawn while a run trains, however long it is. */
export const MOST_POINTS = 1600;

/** Calls what the page offers to programs. */
export const lab = (page, name, ...args) => page.evaluate(([n, a]) => window.lab[n](...a), [name, args]);

/** Resolves when the run of the page is in one of these states. */
export async function becomes(page, states) {
  await page.waitForFunction((wanted) => wanted.includes(window.lab?.state().state), states, { timeout: 5 * 60_000 });
}

/**
 * Put before the first line of a worker: counts the buffers that its device holds. One of 16 bytes belongs to the device
 * itself and lives as long.
 */
export const COUNT_BUFFERS = `{
  const held = new Map();
  if (self.GPUDevice) {
    const { createBuffer } = GPUDevice.prototype;
    const { destroy } = GPUBuffer.prototype;
    GPUDevice.prototype.createBuffer = function (about) {
      const buffer = createBuffer.call(this, about);
      if (about.label !== 'firstGroup') held.set(buffer, about.size);
      return buffer;
    };
    GPUBuffer.prototype.destroy = function () {
      held.delete(this);
      destroy.call(this);
    };
  }
  self.heldBuffers = () => ({ buffers: held.size, bytes: [...held.values()].reduce((a, b) => a + b, 0) });
}`;

export const inMb = (bytes) => `${(bytes / MB).toFixed(1)} MB`;

/** One measurement in words. */
export function line(what, { minutes, page, workers, gpu }) {
  const buffers = gpu.buffers > 0 ? `, ${gpu.buffers} GPU buffers with ${inMb(gpu.bytes)}` : '';
  return `${minutes.toFixed(1).padStart(6)} min  page ${inMb(page)}, workers ${inMb(workers)}${buffers}  (${what})`;
}

/** Slope of a least-squares line through [x, y]; 0 where there is none. */
export function slope(points) {
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const x = mean(points.map(([at]) => at));
  const y = mean(points.map(([, value]) => value));
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread;
}

/**
 * What was found, in sentences, and whether it is good: memory at rest grows within the budget, the buffers at rest are as
 * many after every run as before the first, none is left on the CPU path, curves are bounded, and nothing went wrong.
 */
export function verdict({ backend, samples, points, left, wrong }) {
  const bytes = samples.map(({ page, workers }) => page + workers);
  const growth = bytes.at(-1) - bytes[0];
  const perMinute = slope(samples.map(({ minutes }, k) => [minutes, bytes[k]]));
  const buffers = samples.map(({ gpu }) => gpu.buffers);
  const checks = [
    [
      growth <= BUDGET,
      `memory grew by ${inMb(growth)} in ${samples.at(-1).minutes.toFixed(1)} minutes (${inMb(perMinute)} per minute); ${inMb(BUDGET)} are allowed`,
    ],
    [buffers.every((n) => n === buffers[0]), `GPU buffers at rest: ${buffers.join(', ')}`],
    [left === 0, `GPU buffers left on the CPU path: ${left}`],
    [points <= MOST_POINTS, `longest curve: ${points} points; ${MOST_POINTS} are allowed`],
    noErrors(wrong),
  ];
  return judged(checks.map(([ok, sentence]) => [ok, `${backend}: ${sentence}`]));
}

/** Checks, each with its sentence, as they are printed, and whether all of them hold. */
export const judged = (checks) => ({
  ok: checks.every(([ok]) => ok),
  sentences: checks.map(([ok, sentence]) => `${ok ? '  ok  ' : ' FAIL '} ${sentence}`),
});

/** The check that nothing went wrong in the page. */
export const noErrors = (wrong) => [
  wrong.length === 0,
  `uncaught errors: ${wrong.length === 0 ? 'none' : wrong.join('; ')}`,
];
