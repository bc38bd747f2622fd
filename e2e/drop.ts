import type { Page } from '@playwright/test';

/** Drops a file on the page as a person would. */
export const drop = (page: Page, name: string, text: string): Promise<void> =>
  page.evaluate(
    ([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content!], file!));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    [name, text] as const,
  );
