import { meanNoise, NOISE_UPDATES } from '../../lab/analysis/noiseMean.ts';
import type { NoiseResult } from '../../worker/protocol.ts';
import { value } from '../format.ts';
import { Ask } from './Ask.tsx';
import { Figure } from './Figure.tsx';
import { useMeasurement } from './useMeasurement.ts';

const DOC =
  'From the gradients of single units at fixed parameters, on the batch of the next update with its credit and coefficients: G is their mean, S the trace of their covariance, signal² = ‖G‖² − S/n. Noise scale = S / signal²: the number of units at which signal and noise are equal. SNR = max(signal², 0)·n/S. The units are task groups if there are at least 8, otherwise trajectories. Where single gradients would be too costly (units times parameters above 20 million), the two-batch form is used: eight parts of b units and the whole of n, signal² = (n‖G‖² − b·mean‖G_b‖²)/(n − b), S = (mean‖G_b‖² − ‖G‖²)/(1/b − 1/n), each averaged over the last ten measured updates before dividing.';

/** How much of a gradient is signal, measured when asked. */
export function NoisePanel() {
  const { done, answers, start, stop } = useMeasurement('noise');
  const answer = answers.at(-1);
  const found = answers.flatMap(({ noise }) => (noise ? [noise] : []));
  const last = answer?.noise ?? null;
  const noise = last && averaged(found);
  const told = noise
    ? tell(noise, found.length)
    : 'Plays the next batch on a copy and takes its gradient unit by unit.';
  return (
    <Figure
      title="Gradient noise"
      unit={noise?.units ?? 'units'}
      doc={DOC}
      now={noise ? scale(noise) : '–'}
      sentence={told}
      file="gradient-noise"
      table={
        found.length === 0
          ? null
          : {
              columns: ['update', 'gradient norm', 'noise scale', 'SNR', 'unit', 'n'],
              rows: found.map((x) => [x.update, value(x.gradNorm), scale(x), value(x.snr), x.units, x.n]),
            }
      }
    >
      <Ask label="Measure gradient noise" done={done} start={() => start(0)} stop={stop} />
    </Figure>
  );
}

/** The newest measurement; in the two-batch form with the means over the last ones of the same form. */
export function averaged(found: readonly NoiseResult[]): NoiseResult {
  const last = found.at(-1)!;
  if (last.each === 1) return last;
  const terms = found
    .slice(-NOISE_UPDATES)
    .flatMap(({ each, n, trace, signalSq }) =>
      each === last.each && n === last.n && trace !== null && signalSq !== null ? [{ trace, signalSq }] : [],
    );
  return { ...last, ...meanNoise(terms, last.n) };
}

const scale = (noise: NoiseResult): string =>
  noise.noiseScale === null ? (noise.trace === null ? '–' : `> ${noise.n}`) : value(noise.noiseScale);

function tell(noise: NoiseResult, measured: number): string {
  if (noise.trace === null) return 'One unit is too few to tell signal from noise.';
  if (noise.trace === 0) return 'No unit has any credit: there is no gradient to measure.';
  const verdict = (noise.snr ?? 0) < 1 ? 'the step is mostly noise' : 'the step is mostly signal';
  const parts =
    noise.each === 1
      ? ''
      : ` Measured in eight parts and averaged over ${Math.min(measured, NOISE_UPDATES)} of ${NOISE_UPDATES} updates: measure again later for a steadier value.`;
  return `After ${noise.update} updates, ${noise.n} ${noise.units}: noise scale ${scale(noise)}, SNR ${value(noise.snr)}: ${verdict}.${parts}`;
}
