import { useEffect, useRef } from 'react';
import { fileText, PART_WORDS, verdict, type CheckReport, type SpeedRow } from '../../check/device/report.ts';
import { download } from '../download.ts';
import { bytes, count, short, value } from '../format.ts';
import { say } from '../notices/say.ts';
import { toClipboard } from '../share/toClipboard.ts';
import { useRun } from '../stores/run.ts';
import { beginCheck, onlyNow, stopCheck, useCheck } from './checkStore.ts';
import './check.css';

/** Is this graphics device right? Its kernels, random numbers and short runs beside the CPU path, and how fast both are. */
export function CheckPage() {
  const { state, report } = useCheck();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main className="checkpage" data-state={state}>
      <div className="checktop">
        <h2 ref={heading} tabIndex={-1}>
          Device check
        </h2>
        <a href="#/lab">Back to the lab</a>
      </div>
      <p>
        Does this graphics device compute what it should? Every kernel of the lab runs here on its test cases and is
        compared with its definition, random numbers and short runs with the CPU path. It can be stopped at any time.
        Nothing leaves this page.
      </p>
      <Device />
      <Buttons />
      <p role="status" className={state === 'done' || state === 'stopped' ? 'checkverdict' : undefined}>
        {statusOf(state, report)}
      </p>
      {report && <Found report={report} />}
    </main>
  );
}

function statusOf(state: ReturnType<typeof useCheck.getState>['state'], report: CheckReport | null): string {
  if (state === 'failed') return 'The check stopped unexpectedly. Reload the page and try again.';
  if (state === 'running') {
    const now = report?.parts.find(({ done, of }) => of > 0 && done < of);
    return now ? `${PART_WORDS[now.id][0]}: comparing.` : 'The check begins.';
  }
  if (state === 'idle' || !report) return state === 'stopped' ? 'Stopped before anything was compared.' : '';
  return `${state === 'stopped' ? 'Stopped. ' : ''}${verdict(report)}`;
}

/** What will be checked, before anybody asks. */
function Device() {
  const device = useRun((r) => r.device);
  const trains = useRun((r) => r.state === 'running');
  if (!device) return null;
  const only = onlyNow();
  return (
    <p>
      {device.webgpu ? `The device is ${device.adapter}.` : `${device.why ?? ''} The CPU path can be checked.`}
      {device.software && ' It is a software device: the check takes several minutes.'}
      {only && ` The address asks for a part of the check only: ${only.replaceAll(',', ', ')}.`}
      {trains && ' A run is training: pause it, or the speeds will be too low.'}
    </p>
  );
}

function Buttons() {
  const { state, report } = useCheck();
  const file = (): string => fileText(report!);
  const copy = async (): Promise<void> => {
    await toClipboard(Promise.resolve(file()));
    say('The report is in the clipboard.');
  };
  return (
    <div className="checkbuttons">
      {state === 'running' ? (
        <button type="button" onClick={() => void stopCheck()}>
          Stop the check
        </button>
      ) : (
        <button type="button" className="primary" onClick={() => void beginCheck()}>
          {state === 'idle' ? 'Check this device' : 'Check again'}
        </button>
      )}
      {report && state !== 'running' && (
        <>
          <button type="button" onClick={() => void copy()}>
            Copy the report
          </button>
          <button type="button" onClick={() => download('device-check.json', file(), 'application/json')}>
            Save the report
          </button>
        </>
      )}
    </div>
  );
}

function Found({ report }: { report: CheckReport }) {
  const { findings, runs, speeds } = report;
  return (
    <>
      {findings.length > 0 && (
        <section aria-label="What differs">
          <h3>What differs</h3>
          <ul className="checkfound">
            {findings.map(({ part, name, sentence }) => (
              <li key={`${part} ${name}`}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      <Parts report={report} />
      {speeds.length > 0 && <Speeds speeds={speeds} />}
      {runs.length > 0 && <Runs report={report} />}
      <Adapter report={report} />
    </>
  );
}

/** How far each part is; the bars are what somebody sees while it goes on. */
function Parts({ report }: { report: CheckReport }) {
  return (
    <section aria-label="Comparisons">
      <h3>Comparisons</h3>
      <ul className="checkparts">
        {report.parts.map(({ id, done, of, wrong }) => (
          <li key={id}>
            <strong>{PART_WORDS[id][0]}</strong>
            <progress value={done} max={Math.max(1, of)} aria-label={`${PART_WORDS[id][0]}: done`} />
            <span className="number">
              {of === 0 ? 'waits' : `${count(done)} of ${count(of)}`}
              {wrong > 0 && `, ${count(wrong)} differ${wrong === 1 ? 's' : ''}`}
            </span>
            <span className="quiet">{PART_WORDS[id][1]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Three digits, or thousands: steps a second are many. */
const speed = (x: number): string => (x < 1000 ? value(x) : short(x));

function Speeds({ speeds }: { speeds: readonly SpeedRow[] }) {
  const hasGpu = speeds.some(({ gpu }) => gpu !== null);
  return (
    <section aria-label="Speed">
      <h3>Speed</h3>
      <table className="checktable">
        <caption className="quiet">More is faster. The CPU path has one core here; runs use all of them.</caption>
        <thead>
          <tr>
            <th scope="col">Work</th>
            <th scope="col">CPU</th>
            {hasGpu && <th scope="col">Device</th>}
            {hasGpu && <th scope="col">Device ÷ CPU</th>}
          </tr>
        </thead>
        <tbody>
          {speeds.map(({ what, unit, cpu, gpu }) => (
            <tr key={what}>
              <th scope="row">
                {what} <span className="quiet">({unit})</span>
              </th>
              <td className="number">{speed(cpu)}</td>
              {hasGpu && <td className="number">{gpu === null ? '–' : speed(gpu)}</td>}
              {hasGpu && <td className="number">{gpu === null ? '–' : `${value(gpu / cpu)}×`}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Runs({ report: { runs } }: { report: CheckReport }) {
  return (
    <details className="more">
      <summary>Digests of the short runs</summary>
      <ul className="checkruns">
        {runs.map(({ preset, cpu, gpu, note }) => (
          <li key={preset}>
            {preset}: <code>{cpu.slice(0, 12)}</code>
            {gpu !== null && (gpu === cpu ? ' on both paths' : ' on the CPU path, ')}
            {gpu !== null && gpu !== cpu && <code>{gpu.slice(0, 12)}</code>}
            {gpu !== null && gpu !== cpu && ' on the device'}. {note}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Adapter({ report: { adapter, hasSimd, why } }: { report: CheckReport }) {
  return (
    <details className="more">
      <summary>Features and limits</summary>
      <dl className="checkfacts">
        <dt>SIMD kernels of the CPU path</dt>
        <dd>{hasSimd ? 'yes' : 'no: the definitions run, more slowly'}</dd>
        {!adapter && <dt>Graphics device</dt>}
        {!adapter && <dd>{why ?? 'none'}</dd>}
        {adapter &&
          (['vendor', 'architecture', 'device', 'description'] as const).map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{adapter[name] === '' ? 'not told' : adapter[name]}</dd>
            </div>
          ))}
        {Object.entries(adapter?.limits ?? {}).map(([name, n]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{name.endsWith('Size') ? bytes(n) : count(n)}</dd>
          </div>
        ))}
        {adapter && <dt>features</dt>}
        {adapter && <dd>{adapter.features.join(', ')}</dd>}
      </dl>
    </details>
  );
}
