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
const Lesson = part(() => import('./LessonView.tsx').then((m) => m.LessonView), WAIT);

/** Every view, each in its own file. */
export const views: { readonly [view in EmbedView]: (props: ViewProps) => ReactNode } = {
  stage: (props) => <Stage {...props} />,
  charts: (props) => <Charts {...props} />,
  credit: (props) => <Credit {...props} />,
  graph: (props) => <Graph {...props} />,
  compare: (props) => <Compare {...props} />,
  lesson: (props) => <Lesson {...props} />,
};
