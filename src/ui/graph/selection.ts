import { create } from 'zustand';
import type { Snapshot } from '../../worker/protocol.ts';

/** All steps of the line that was chosen in the graph, as i*T + t of their batch. */
const useChosen = create<{ snapshot: Snapshot | null; steps: Uint32Array }>(() => ({
  snapshot: null,
  steps: new Uint32Array(),
}));

export const chooseSteps = (snapshot: Snapshot, steps: Uint32Array): void => useChosen.setState({ snapshot, steps });

const NONE = new Uint32Array();

/** The chosen steps as long as the selected step is one of them: a choice elsewhere replaces them. */
export function useChosenSteps(snapshot: Snapshot, i: number, t: number): Uint32Array {
  const chosen = useChosen();
  return chosen.snapshot === snapshot && chosen.steps.includes(i * snapshot.T + t) ? chosen.steps : NONE;
}
