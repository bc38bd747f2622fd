import { LAW_FLAGS, lawAt, REFIT_EVERY } from '../../lab/analysis/law.ts';
import { value } from '../format.ts';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, rangeOf, scaleOf, WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';

const DOC =
  'Least-squares fit of R = −a·e^H + b to the evaluations of this seed, where R is the evaluation success and H the policy entropy of the same update. b − a is the success that the law predicts at zero entropy. Refitted every 10 evaluations, always from the first point.';
/** Dots beyond this many are thinned: the fit stands on all of them. */
const MOST_DOTS = 300;

/** Success against entropy, the fitted law, its predicted ceiling, and why not to believe it. */
export function LawPanel() {
  const law = useShown()?.law ?? null;
  const n = law?.entropy.length ?? 0;
  const fit = law?.fit ?? null;
  if (!law || n < 2) {
    return (
      <Figure title="Entropy law" unit="success" doc={DOC} file="law" table={null} sentence="">
        <p className="quiet empty">
          Appears after two evaluations; they can be made more frequent in Setup, under Analysis.
        </p>
      </Figure>
    );
  }
  const H = Array.from(law.entropy);
  const R = Array.from(law.success);
  const [low, high] = rangeOf(H, 0);
  const curve = fit ? Array.from({ length: 41 }, (_, k) => low + (k * (high - low)) / 40) : [];
  const [bottom, top] = rangeOf(R, 0, 1, ...(fit ? [Math.min(fit.ceiling, 4)] : []));
  const scale = scaleOf([low, high], [bottom, top]);
  const every = Math.ceil(n / MOST_DOTS);
  const fitted = fit
    ? `R = ${value(-fit.a)}·e^H ${fit.b < 0 ? '−' : '+'} ${value(Math.abs(fit.b))} on ${fit.points} evaluations, R² ${fit.r2 === null ? 'undefined' : value(fit.r2)}. At zero entropy it predicts ${value(fit.ceiling)}${fit.ceilingBefore === null ? '' : `, ${REFIT_EVERY} evaluations earlier ${value(fit.ceilingBefore)}`}.`
    : 'The entropy does not change: nothing can be fitted.';
  return (
    <Figure
      title="Entropy law"
      unit="success"
      doc={DOC}
      sentence={fitted}
      file="law"
      table={{
        columns: ['evaluation', 'entropy', 'success'],
        rows: H.map((h, k) => [k + 1, value(h), value(R[k]!)]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Success against entropy. ${fitted}`}>
        <Axes
          scale={scale}
          x={[low, (low + high) / 2, high].map((h) => [h, value(h)])}
          y={[...new Set([bottom, 0, 1, top])].map((r) => [r, value(r)])}
          name="policy entropy, nats"
        />
        {H.map(
          (h, k) => k % every === 0 && <circle key={k} cx={scale.x(h)} cy={scale.y(R[k]!)} r="2.5" className="dot" />,
        )}
        {fit && (
          <path
            className="line fit"
            d={pathOf(curve.map((h) => [scale.x(h), lawAt(fit, h) <= top ? scale.y(lawAt(fit, h)) : NaN]))}
          />
        )}
      </svg>
      {fit && fit.flags.length > 0 && (
        <ul className="flags" aria-label="Why not to trust this fit">
          {fit.flags.map((flag) => (
            <li key={flag}>{LAW_FLAGS[flag]}</li>
          ))}
        </ul>
      )}
    </Figure>
  );
}
