import { create } from 'zustand';
import type { Profile } from '../../worker/protocol.ts';
import { download } from '../download.ts';
import { lab } from '../session.ts';

/** The last profile, and what stands in its way. */
type ProfileState = { readonly profile: Profile | null; readonly isBusy: boolean; readonly why: string | null };

export const useProfile = create<ProfileState>(() => ({ profile: null, isBusy: false, why: null }));

export async function measure(): Promise<void> {
  useProfile.setState({ isBusy: true, why: null });
  try {
    const found = await lab().profile();
    if (found) useProfile.setState({ profile: found });
    else useProfile.setState({ why: 'Only a waiting run can be profiled. Pause it, or reset it if it failed.' });
  } catch {
    useProfile.setState({ why: 'The profile could not be made. Reset the run and try again.' });
  } finally {
    useProfile.setState({ isBusy: false });
  }
}

export async function saveTrace(): Promise<void> {
  download('horizon-lab-trace.json', await lab().trace(), 'application/json');
}
