import { useState } from 'react';
import type { Profile } from '../../worker/protocol.ts';
import { unless } from '../focus.ts';
import { bytes, percent, short, value } from '../format.ts';
import { useRun } from '../stores/run.ts';
import { Bars, color, SlotShare } from './Bars.tsx';
import { measure, saveTrace, useProfile } from './profileStore.ts';
import { costliest, headline, provenance, SLOT_TITLES, slotMs, totalMs, traffic } from './sentences.ts';
import './profile.css';

const FIRST = 8;

/** Where the time of an update goes: by slot, by kernel, and what is held in memory. */
export function ProfilePanel() {
  const { profile, isBusy, why } = useProfile();
  const state = useRun((r) => r.state);
  const waits = state === 'ready' || state === 'paused' || state === 'finished';
  return (
    <div className="profile">
      <h2>Where the time of an update goes</h2>
      {profile === null && (
        <p>
          Trains a scratch copy of the run for a few updates and measures the time of every slot and every kernel. The
          run itself does not change.
        </p>
      )}
      <div className="profilebuttons">
        <button type="button" className="primary" {...unless(!waits || isBusy, () => void measure())}>
          {isBusy ? 'Measuring' : profile ? 'Measure again' : 'Measure an update'}
        </button>
        {profile && (
          <button type="button" onClick={() => void saveTrace()}>
            Save trace file
          </button>
        )}
        <span className="quiet">
          {waits ? (profile ? 'Trace viewers such as Perfetto open the file.' : '') : 'Pause the run first.'}
        </span>
      </div>
      {why !== null && <p role="status">{why}</p>}
      {profile && <Found profile={profile} />}
    </div>
  );
}

function Found({ profile }: { profile: Profile }) {
  return (
    <>
      <p role="status" className="profilesaid">
        {headline(profile)} {costliest(profile)} {traffic(profile)}
      </p>
      <SlotShare profile={profile} />
      {profile.backend === 'webgpu' && <Bars profile={profile} />}
      <div className="profiletables">
        <Slots profile={profile} />
        {profile.kernels.length > 0 && <Kernels profile={profile} />}
        <Memory profile={profile} />
      </div>
      <p className="quiet">{provenance(profile)}</p>
    </>
  );
}

function Slots({ profile }: { profile: Profile }) {
  const total = totalMs(profile);
  const onGpu = profile.backend === 'webgpu';
  return (
    <div className="tablebox" tabIndex={0} role="region" aria-label="Time by slot">
      <table>
        <caption>By slot, per update</caption>
        <thead>
          <tr>
            <th scope="col">Slot</th>
            <th scope="col">{onGpu ? 'Kernels' : 'Time'}</th>
            <th scope="col">Share</th>
            {onGpu && <th scope="col">Worker</th>}
            {onGpu && <th scope="col">Dispatches</th>}
            {onGpu && <th scope="col">Bound</th>}
          </tr>
        </thead>
        <tbody>
          {profile.slots.map((s, k) => (
            <tr key={s.slot}>
              <th scope="row">
                <span className="slotmark" style={{ background: color(s.slot) }} /> {SLOT_TITLES[s.slot]}
              </th>
              <td>{value(slotMs(profile, k))} ms</td>
              <td>{percent(slotMs(profile, k) / total)}</td>
              {onGpu && <td>{value(s.cpuMs)} ms</td>}
              {onGpu && <td>{short(s.dispatches)}</td>}
              {onGpu && <td>{bytes(s.bytes)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Kernels({ profile }: { profile: Profile }) {
  const [isLong, setLong] = useState(false);
  const total = totalMs(profile);
  const shown = isLong ? profile.kernels : profile.kernels.slice(0, FIRST);
  return (
    <div className="tablebox" tabIndex={0} role="region" aria-label="Time by kernel">
      <table>
        <caption>By kernel, per update{profile.clock === 'repeats' ? ' (estimates)' : ''}</caption>
        <thead>
          <tr>
            <th scope="col">Kernel</th>
            <th scope="col">Time</th>
            <th scope="col">Share</th>
            <th scope="col">Dispatches</th>
            <th scope="col">Bound</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((k) => (
            <tr key={`${k.slot} ${k.kernel}`}>
              <th scope="row">
                <span className="slotmark" style={{ background: color(k.slot) }} /> {k.kernel}{' '}
                <span className="quiet">{SLOT_TITLES[k.slot]}</span>
              </th>
              <td>{value(k.ms)} ms</td>
              <td>{percent(k.ms / total)}</td>
              <td>{short(k.calls)}</td>
              <td>{bytes(k.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {profile.kernels.length > FIRST && (
        <button type="button" onClick={() => setLong(!isLong)}>
          {isLong ? 'Show fewer' : `Show all ${profile.kernels.length}`}
        </button>
      )}
    </div>
  );
}

function Memory({ profile }: { profile: Profile }) {
  return (
    <div className="tablebox" tabIndex={0} role="region" aria-label="Memory by label">
      <table>
        <caption>{profile.backend === 'webgpu' ? 'Held by copy and run' : 'Held by the copy'}</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody>
          {profile.memory.map(({ label, bytes: held }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{bytes(held)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
