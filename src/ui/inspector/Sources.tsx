import type { Estimator } from '../../slots/types.ts';
import { Formula } from '../glossary/Formula.tsx';
import { sourceOf } from '../../config/words/wordsOf.ts';
import { addressOf, definitionOf, paperOf } from './links.ts';

/** Where all this is written down: the paper, the definition, and the kernels once the worker has named them. */
export function Sources({ estimator, kernels }: { estimator: Estimator; kernels: readonly string[] | null }) {
  const { formula, title } = estimator;
  const source = sourceOf(estimator.source);
  return (
    <section className="sources">
      <h3>Sources</h3>
      <p className="formula">
        <Formula text={formula} path={`advantage.${estimator.id}`} />
      </p>
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
        {kernels?.length === 0 && (
          <li>
            It has no WGSL form with these settings: even in a run on the GPU, the definition computes it on the CPU
            from the batch read back.
          </li>
        )}
        {kernels !== null && kernels.length > 0 && (
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
