import type { AnyValues } from '../../core/settings.ts';
import type { Estimator } from '../../methods/types.ts';
import { addressOf, definitionOf, kernelsOf, paperOf } from './links.ts';

/** Where all this is written down: the paper, the definition, the kernels. */
export function Sources({ estimator, params }: { estimator: Estimator; params: AnyValues }) {
  const { source, formula, title } = estimator;
  const kernels = kernelsOf(estimator, params);
  return (
    <section className="sources">
      <h3>Where it is written down</h3>
      <p className="formula">{formula}</p>
      <ul>
        <li>
          Paper: {source.title}
          {source.arxiv && (
            <>
              ,{' '}
              <a href={paperOf(source.arxiv)} target="_blank" rel="noopener noreferrer">
                arXiv {source.arxiv}
              </a>
            </>
          )}
        </li>
        <li>
          Definition of {title}: <Path path={definitionOf(estimator.id)} />
        </li>
        {kernels.length === 0 && <li>This method is computed by its definition only; it has no WGSL form.</li>}
        {kernels.length > 0 && (
          <li>
            On the GPU it is computed by{' '}
            {kernels.map((path, k) => (
              <span key={path}>
                {k > 0 && ', '}
                <Path path={path} />
              </span>
            ))}
          </li>
        )}
      </ul>
    </section>
  );
}

function Path({ path }: { path: string }) {
  return (
    <a href={addressOf(path)} target="_blank" rel="noopener noreferrer">
      <code>{path}</code>
    </a>
  );
}
