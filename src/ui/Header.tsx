import { CircleHelp, Link2, Moon, PanelLeft, Share2, Sun, SunMoon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { presetById, presetConfig, presets } from '../config/presets.ts';
import { copyLink } from './share/copyLink.ts';
import { startFrom, useDraft } from './stores/draft.ts';
import { look, useView, type Theme } from './stores/view.ts';
import { reset } from './session.ts';

// Dialogs are opened long after the first paint.
const HelpDialog = lazy(() => import('./HelpDialog.tsx').then((m) => ({ default: m.HelpDialog })));
const ShareDialog = lazy(() => import('./share/ShareDialog.tsx').then((m) => ({ default: m.ShareDialog })));

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICON = { system: SunMoon, light: Sun, dark: Moon } as const;

function choose(id: string): void {
  const preset = presetById(id);
  if (!preset) return;
  startFrom(presetConfig(preset), preset.title);
  void reset();
}

/** Name, experiment picker, share, help, theme. */
export function Header() {
  const theme = useView((v) => v.theme);
  const isSetupOpen = useView((v) => v.isSetupOpen);
  const baseTitle = useDraft((d) => d.baseTitle);
  const preset = presets.find((p) => p.title === baseTitle);
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
      <label className="picker">
        <span className="visually-hidden">Experiment</span>
        <select value={preset?.id ?? ''} onChange={(event) => choose(event.target.value)}>
          {[...new Set(presets.map((p) => p.group))].map((group) => (
            <optgroup key={group} label={group}>
              {presets
                .filter((p) => p.group === group)
                .map((p) => (
                  <option key={p.id} value={p.id}>
                    {p.title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <p className="lookfor">{preset?.look}</p>
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
      <Suspense>
        {opened === 'share' && <ShareDialog close={close} />}
        {opened === 'help' && <HelpDialog close={close} />}
      </Suspense>
    </header>
  );
}
