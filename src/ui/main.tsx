import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { reportUnexpected, watchErrors } from './notices/unexpected.ts';
import { Boundary } from './Part.tsx';
import { begin } from './session.ts';
import './styles/tokens.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/panels.css';
import './styles/stage.css';
import './styles/editor.css';

watchErrors();
createRoot(document.getElementById('root')!).render(
  <Boundary>
    <App />
  </Boundary>,
);
begin().catch(reportUnexpected);
