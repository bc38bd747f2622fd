import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { Modal, ModalText } from '../Modal.tsx';
import { part } from '../Part.tsx';
import { LinkTab } from './LinkTab.tsx';
import './share.css';

const Bundles = part(() => import('../bundles/Bundles.tsx').then((m) => m.Bundles));
const EmbedTab = part(() => import('./EmbedTab.tsx').then((m) => m.EmbedTab));
const Cite = part(() => import('./Cite.tsx').then((m) => m.Cite));

/** All ways in which an experiment leaves the page: as a link, in a frame, as files, as a citation. */
export function ShareDialog({ close }: { close: () => void }) {
  const [tab, setTab] = useState('link');
  return (
    <Modal title="Share this experiment" closeLabel="Close share" className="dialog share" close={close}>
      <ModalText>
        Anyone who opens the link sees these settings as a draft; nothing starts by itself. On the CPU path, the result
        is the same on every machine.
      </ModalText>
      <Tabs.Root value={tab} onValueChange={setTab}>
        <Tabs.List className="tabs" aria-label="Ways to share">
          <Tabs.Trigger value="link">Link</Tabs.Trigger>
          <Tabs.Trigger value="embed">Embed</Tabs.Trigger>
          <Tabs.Trigger value="files">Files</Tabs.Trigger>
          <Tabs.Trigger value="cite">Cite</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="link">
          <LinkTab toFiles={() => setTab('files')} />
        </Tabs.Content>
        <Tabs.Content value="embed">
          <EmbedTab />
        </Tabs.Content>
        <Tabs.Content value="files">
          <Bundles />
        </Tabs.Content>
        <Tabs.Content value="cite">
          <Cite />
        </Tabs.Content>
      </Tabs.Root>
    </Modal>
  );
}
