/** What a lesson has checked: whether it came true in the reader's run, and the number that says so. */
export type Check = {
  readonly lesson: string;
  readonly id: string;
  readonly passed: boolean;
  readonly value: number | null;
};

let tell: ((check: Check) => void) | null = null;

/**
 * A lesson calls this when one of its checks is decided. In a frame, the page around it gets the result, once it has said
 * hello; everywhere else nothing happens.
 */
export function reportCheck(check: Check): void {
  tell?.(check);
}

/** Who passes checks on; null: nobody. */
export function onCheck(listener: ((check: Check) => void) | null): void {
  tell = listener;
}
