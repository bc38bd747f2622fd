import { isChanged } from './before.ts';
import { useDraft } from './stores/draft.ts';
import { useRun, type Doing } from './stores/run.ts';

/** counts what was pressed: a newer press ends what an older one still wants */
let pressed = 0;

/** Does what was pressed, and says meanwhile what that is; `isNewest`: nothing else has been pressed since. */
export async function press(doing: Doing, act: (isNewest: () => boolean) => Promise<void>): Promise<void> {
  const mine = ++pressed;
  useRun.setState({ doing });
  try {
    await act(() => mine === pressed);
  } finally {
    if (mine === pressed) useRun.setState({ doing: null });
  }
}

/** Nothing that was pressed is wanted any more. */
export function endPress(): void {
  pressed++;
}

/** True until something else is pressed or chosen: what is chosen waits for a press of its own, and does not train by this. */
export function wanted(): () => boolean {
  const mine = pressed;
  const { config } = useDraft.getState();
  return () => mine === pressed && !isChanged(config, useDraft.getState().config);
}
