import { SweepGrid } from './SweepGrid.tsx';
import type { SweepStatus } from './client.ts';
import { command, finishOnCpu, goOn, retry, useSweep } from './sweepStore.ts';
import { countOf, progressWords } from './words.ts';

/** Pause, continue, cancel, retry: whatever the state allows. */
function Actions({ status, isMine, renew }: { status: SweepStatus; isMine: boolean; renew: () => void }) {
  const { state, id } = status;
  const owner = useSweep((s) => s.owner);
  const isOpen = state === 'running' || state === 'paused';
  const canGoOn = owner !== 'elsewhere' && (isOpen ? !isMine || state === 'paused' : countOf(status, 'stopped') > 0);
  return (
    <div className="sweepactions">
      {isMine && state === 'running' && (
        <button type="button" onClick={() => void command((now) => now.pause())}>
          Pause
        </button>
      )}
      {canGoOn && (
        <button type="button" className="primary" onClick={() => void goOn(id)}>
          Continue
        </button>
      )}
      {canGoOn && isOpen && status.backend === 'webgpu' && (
        <button type="button" onClick={() => void finishOnCpu(id)}>
          Finish on the CPU
        </button>
      )}
      {isMine && isOpen && (
        <button type="button" onClick={() => void command((now) => now.cancel())}>
          Cancel comparison
        </button>
      )}
      {owner !== 'elsewhere' && countOf(status, 'failed') > 0 && (
        <button type="button" onClick={() => void retry(id)}>
          Retry failed
        </button>
      )}
      <a href={`#/runs?batch=${id}`} onClick={renew}>
        See results
      </a>
    </div>
  );
}

/** Every run of a sweep with its state, and what can be done meanwhile. */
export function SweepProgress({ status, close, another }: Props) {
  const owner = useSweep((s) => s.owner);
  const trouble = useSweep((s) => s.trouble);
  const isMine = owner === 'here';
  const { state, cells, problem } = status;
  const isOpen = state === 'running' || state === 'paused';
  const said = trouble ?? problem;
  return (
    <>
      <h3>{status.title}</h3>
      <progress value={countOf(status, 'finished')} max={cells.length} aria-label="Runs finished" />
      <p className="number" role="status">
        {progressWords(status)}
        {isOpen && status.backend === 'webgpu' && ', on the GPU'}
        {state === 'paused' && ', paused'}
        {state === 'cancelled' && ', cancelled'}
        {isOpen && owner === 'nobody' && '. It is not training: the page was closed or reloaded'}
        {owner === 'elsewhere' && '. It trains in another tab'}.
      </p>
      {isOpen && status.backend === 'webgpu' && (state === 'paused' || owner === 'nobody') && (
        <p className="quiet">
          “Finish on the CPU” trains the runs that are not finished from their beginning; their numbers differ slightly
          from those of the GPU, and the runs table says where each trained.
        </p>
      )}
      {said && (
        <p className="issue error" role="alert">
          {said}
        </p>
      )}
      <Actions status={status} isMine={isMine} renew={close} />
      <SweepGrid status={status} isMine={isMine} />
      <p>
        <button type="button" onClick={another} disabled={isMine && isOpen}>
          Another comparison
        </button>
      </p>
    </>
  );
}

type Props = { status: SweepStatus; close: () => void; another: () => void };
