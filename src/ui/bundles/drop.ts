import { isEmbed } from '../isEmbed.ts';
import { say } from '../notices/say.ts';

/** Files that are dragged over the page; text and links that are dragged keep their own meaning. */
const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/**
 * Files that are dropped anywhere on the page are opened, from its first moment on: without this the browser would leave the
 * page for them. What opens them comes when there are some.
 */
function listen(): void {
  addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    event.dataTransfer!.dropEffect = 'copy';
  });
  addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    // only now can it be asked what was dropped
    const { files, items } = event.dataTransfer!;
    const entries = Array.from(items, (item, k) => item.webkitGetAsEntry?.() ?? files[k]);
    const [file] = files;
    const found = entries.filter((entry) => entry !== undefined);
    void import('./openDropped.ts')
      .then(({ openFiles }) => openFiles(file, found))
      .catch(() => say('The part of the page that opens files could not be loaded.'));
  });
}

// a frame in another page is not a place to open one's files
if (!isEmbed) listen();
