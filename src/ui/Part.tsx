import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { LOADED_AHEAD } from '../core/marks.ts';

/** The file of a part did not come: there is no connection, or the site has been renewed under other names. */
class NotLoaded extends Error {}

type BoundaryProps = {
  readonly again?: () => void;
  readonly close?: (() => void) | undefined;
  readonly children: ReactNode;
};

/** What goes wrong inside is said in its place, and the rest of the page continues. */
export class Boundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { again, close, children } = this.props;
    if (error === null) return children;
    const retry = (): void => {
      again?.();
      this.setState({ error: null });
    };
    return (
      <div className="notice serious" role="alert">
        <p>
          {error instanceof NotLoaded
            ? 'This part of the page could not be loaded: there is no connection, or the site has been updated since.'
            : `This part of the page has failed: ${error.message}.`}{' '}
          Reloading ends the run; your settings are kept.
        </p>
        <button type="button" onClick={retry}>
          Try again
        </button>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
        {close && (
          <button type="button" onClick={close}>
            Close
          </button>
        )}
      </div>
    );
  }
}

/** What loads every part that the page has by now; parts of parts come with them. */
const loads: (() => Promise<unknown>)[] = [];

/**
 * Loads all parts one after the other, and `more` that is no part: what is here stays when the network goes, or when the
 * site is renewed under other names. What does not come now is asked for again when it is wanted.
 */
export async function loadRest(more: readonly (() => Promise<unknown>)[]): Promise<void> {
  loads.push(...more);
  for (let k = 0; k < loads.length; k++) await loads[k]!().catch(() => undefined);
  performance.mark(LOADED_AHEAD);
}

type Part<P extends object> = ComponentType<P> & { readonly prefetch: () => void };

/**
 * A part of the page in its own file, which is asked for when the part is first shown, or before by `prefetch`.
 * `waiting` stands in its place until it is there. A file that did not come is requested again the next time.
 */
export function part<P extends object>(load: () => Promise<ComponentType<P>>, waiting?: ReactNode): Part<P> {
  const fresh = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        shared = fresh();
        throw new NotLoaded(String(error));
      }
    });
  let shared = fresh();
  loads.push(load);
  function Shown(props: P): ReactNode {
    const [Found, find] = useState(() => shared);
    return (
      <Boundary again={() => find(shared)} close={(props as { close?: () => void }).close}>
        <Suspense fallback={waiting}>
          <Found {...props} />
        </Suspense>
      </Boundary>
    );
  }
  return Object.assign(Shown, { prefetch: () => void load().catch(() => undefined) });
}
