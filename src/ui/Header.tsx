import { CircleHelp, Link2, Moon, PanelLeft, Share2, Sun, SunMoon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { part } from './Part.tsx';
import { copyLink } from './share/copyLink.ts';
import { useDraft } from './stores/draft.ts';
import { look, useView, type Theme } from './stores/view.ts';

// Experiments are many words, which the first paint does not wait for; dialogs are opened long after it.
const ExperimentPicker = part(
  () => import('./ExperimentPicker.tsx').then((m) => m.ExperimentPicker),
  <ExperimentName />,
);
const HelpDialog = part(() => import('./HelpDialog.tsx').then((m) => m.HelpDialog));
const ShareDialog = part(() => import('./share/ShareDialog.tsx').then((m) => m.ShareDialog));

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICON = { system: SunMoon, light: Sun, dark: Moon } as const;

/** Stands where the list of experiments comes a moment later. */
function ExperimentName() {
  const title = useDraft((d) => d.baseTitle);
  return (
    <label className="picker">
      <span className="visually-hidden">Experiment</span>
      <select disabled>
        <option>{title}</option>
      </select>
    </label>
  );
}

/** Name, experiment picker, share, help, theme. */
export function Header() {
  const theme = useView((v) => v.theme);
  const isSetupOpen = useView((v) => v.isSetupOpen);
  const [opened, setOpened] = useState<'share' | 'help' | null>(null);
  const close = (): void => setOpened(null);
  const Icon = ICON[theme];
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return (
    <header className="header">
      <button
        type="button"
        className="icon only-wide"
        aria-label={isSetupOpen ? 'Hide setup' : 'Show setup'}
        aria-expanded={isSetupOpen}
        onClick={() => look({ isSetupOpen: !isSetupOpen })}
      >
        <PanelLeft aria-hidden size={18} />
      </button>
      <h1>Horizon Lab</h1>
      <ExperimentPicker />
      <button type="button" className="icon" aria-label="Copy link" onClick={() => void copyLink()}>
        <Link2 aria-hidden size={18} />
      </button>
      <button
        type="button"
        className="icon"
        aria-label="Share"
        aria-haspopup="dialog"
        onClick={() => setOpened('share')}
      >
        <Share2 aria-hidden size={18} />
      </button>
      <button type="button" className="icon" aria-label="Help" aria-haspopup="dialog" onClick={() => setOpened('help')}>
        <CircleHelp aria-hidden size={18} />
      </button>
      <button
        type="button"
        className="icon"
        aria-label={`Theme: ${theme}`}
        onClick={() => look({ theme: NEXT[theme] })}
      >
        <Icon aria-hidden size={18} />
      </button>
      {opened === 'share' && <ShareDialog close={close} />}
      {opened === 'help' && <HelpDialog close={close} />}
    </header>
  );
}
