import { followInAddress, goBack, openAddress, startAt, type Entry } from './address.ts';
import { keepDraft, lastDraft, tellForgetting } from './keeping.ts';
import { reportUnexpected } from './notices/unexpected.ts';
import { isSameExperiment, markLoading, offered, watchLoading } from './safeStart.ts';
import { setConfig, useDraft } from './stores/draft.ts';
import { report } from './stores/run.ts';

/** Who brings the experiment of a page, and what is kept of it. */
export type Visit = {
  /** Runs stay in the browser's storage. */
  readonly keeps: boolean;
  /** The first experiment is on the page when this resolves. */
  open(): Promise<void>;
  /** The draft, or whose it is, has changed. */
  drafted(): void;
  /** The worker has answered, and what was to be loaded is. */
  settled(): void;
};

/** The lab in a tab of its own: the person's draft of last time, links beside it, and everything is kept. */
export const ownVisit: Visit = {
  keeps: true,
  async open() {
    watchLoading();
    const [own, dead] = [await lastDraft(), await offered()];
    startAt(history.state as Entry | null);
    // looking at settings draws levels: that, too, may be what a page dies of
    if (own && !isSameExperiment(own, dead)) {
      markLoading(own);
      setConfig(own);
    }
    // a link that cannot be read for want of a file keeps nobody from what is here
    await openAddress(dead).catch(reportUnexpected);
    if (dead) report({ kind: 'loadCrashed' });
    addEventListener('popstate', (event) => void goBack(event));
  },
  drafted() {
    if (useDraft.getState().own === null) void keepDraft();
    followInAddress();
  },
  settled() {
    void tellForgetting();
    // what no storage has kept is no trouble of this visit
    void import('./kept/leftRun.ts').then((m) => m.watchStorage()).catch(() => undefined);
  },
};
