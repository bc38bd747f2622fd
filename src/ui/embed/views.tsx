import type { ReactNode } from 'react';
import { part } from '../Part.tsx';
import type { EmbedView } from './embedAddress.ts';

/** `hasControls`: a view may bring two controls of its own. `isFree`: it is as high as its content, not as the frame. */
export type ViewProps = { readonly hasControls: boolean; readonly isFree: boolean };

const WAIT = <p className="quiet">The view is loading.</p>;

const Stage = part(() => import('./StageView.tsx').then((m) => m.StageView), WAIT);
const Charts = part(() => import('./ChartsView.tsx').then((m) => m.ChartsView), WAIT);
const Credit = part(() => import('./CreditView.tsx').then((m) => m.CreditView), WAIT);
const Graph = part(() => import('./GraphView.tsx').then((m) => m.GraphView), WAIT);
const Compare = part(() => import('./CompareView.tsx').then((m) => m.CompareView), WAIT);

/**
 * Every view that this version can show, each in its own file. A lesson comes with an entry here, too: it reads
 * `useEmbed().options.lesson`, and tells its checks to `reportCheck` (check.ts).
 */
export const views: { readonly [view in EmbedView]?: (props: ViewProps) => ReactNode } = {
  stage: (props) => <Stage {...props} />,
  charts: (props) => <Charts {...props} />,
  credit: (props) => <Credit {...props} />,
  graph: (props) => <Graph {...props} />,
  compare: (props) => <Compare {...props} />,
};
