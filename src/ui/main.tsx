import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { reportUnexpected, watchErrors } from './notices/unexpected.ts';
import { ownVisit } from './ownVisit.ts';
import { isEmbed } from './isEmbed.ts';
import { Boundary, part } from './Part.tsx';
import { begin } from './session.ts';
import './styles/tokens.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/panels.css';
import './styles/stage.css';
import './styles/editor.css';

// one view of an experiment, in a frame of another page, begins by itself, once it is in sight
const Page = isEmbed ? part(() => import('./embed/EmbedPage.tsx').then((m) => m.EmbedPage)) : App;

watchErrors();
createRoot(document.getElementById('root')!).render(
  <Boundary>
    <Page />
  </Boundary>,
);
if (!isEmbed) begin(ownVisit).catch(reportUnexpected);
