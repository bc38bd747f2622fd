import { ChevronDown, CircleHelp, Link2, Moon, PanelLeft, Share2, Sun, SunMoon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DeviceNotice } from './notices/Notices.tsx';
import { part } from './Part.tsx';
import { compare } from './compare.ts';
import { copyLink } from './share/copyLink.ts';
import { useDraft } from './stores/draft.ts';
import { look, useView, type Theme } from './stores/view.ts';

// dialogs are opened long after the first paint
const Gallery = part(() => import('./gallery/Gallery.tsx').then((m) => m.Gallery));
const HelpDialog = part(() => import('./HelpDialog.tsx').then((m) => m.HelpDialog));
const ShareDialog = part(() => import('./share/ShareDialog.tsx').then((m) => m.ShareDialog));

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICON = { system: SunMoon, light: Sun, dark: Moon } as const;

/** The name of the experiment on the screen, and the way to all others. */
function Experiment({ open }: { open: () => void }) {
  const title = useDraft((d) => d.baseTitle);
  return (
    <button type="button" className="picker" aria-haspopup="dialog" aria-label={`Experiment: ${title}`} onClick={open}>
      <span>{title}</span> <ChevronDown aria-hidden size={16} />
    </button>
  );
}

/** Name, experiment picker, share, help, theme. */
export function Header() {
  const theme = useView((v) => v.theme);
  const isSetupOpen = useView((v) => v.isSetupOpen);
  const page = useView((v) => v.page);
  const [opened, setOpened] = useState<'experiments' | 'share' | 'help' | null>(null);
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
      <Experiment open={() => setOpened('experiments')} />
      <a className="only-wide" href="#/lessons" aria-current={page.startsWith('lesson') ? 'page' : undefined}>
        Lessons
      </a>
      <a className="only-wide" href="#/runs" aria-current={page === 'runs' ? 'page' : undefined}>
        Runs
      </a>
      <button
        type="button"
        className="only-wide"
        aria-label="Compare settings"
        aria-haspopup="dialog"
        onClick={compare}
      >
        Compare
      </button>
      <span className="headgap">
        <DeviceNotice />
      </span>
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
      {opened === 'experiments' && <Gallery close={close} />}
      {opened === 'share' && <ShareDialog close={close} />}
      {opened === 'help' && <HelpDialog close={close} />}
    </header>
  );
}
