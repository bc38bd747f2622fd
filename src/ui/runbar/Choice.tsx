import { useEffect } from 'react';
import { problemText } from '../../config/problems.ts';
import type { Choice as Chosen } from '../../worker/protocol.ts';
import { short } from '../format.ts';
import { measure, runConfig } from '../session.ts';
import { useRun, type RunInfo } from '../stores/run.ts';

/** Why a run that may choose trains where it does, in one sentence. */
export function choiceWords(choice: Chosen, backend: RunInfo['backend']): string {
  switch (choice.kind) {
    case 'preparing':
      return 'The CPU trains while WebGPU is prepared; then both are measured.';
    case 'large':
      return 'WebGPU trains: this run is too large to be tried on both.';
    case 'failed':
      return `The CPU trains: WebGPU could not be tried. ${problemText(choice.why).sentence}`;
    case 'measured': {
      const { webgpu, cpu, cores } = choice;
      const onCores = cores > 1 ? ` on ${cores} cores` : '';
      const found = `WebGPU ${short(webgpu)}, CPU ${short(cpu)} steps/s${onCores}, measured on this run`;
      if (backend === 'webgpu') return `${found}: WebGPU trains.`;
      return webgpu > cpu ? `${found}: too close to leave the CPU.` : `${found}: the CPU trains.`;
    }
  }
}

/** Which path trains and why, with what was measured of both. */
export function Choice() {
  const choice = useRun((r) => r.choice);
  const backend = useRun((r) => r.backend);
  const isReady = useRun((r) => r.state === 'ready');
  const isMoved = choice?.kind === 'measured' && backend === 'webgpu' && isReady;
  // what was measured before is of the other path
  useEffect(() => {
    if (!isMoved) return;
    const config = runConfig();
    if (config) void measure(config);
  }, [isMoved]);
  return choice && <p className="choice">{choiceWords(choice, backend)}</p>;
}
