import { useMemo, useState } from 'react';
import { rememberForm } from '../before.ts';
import { compare } from '../compare.ts';
import { bytes, count, short } from '../format.ts';
import { between, isSameSize, useSecondsOfDraft } from '../runbar/seconds.ts';
import { estimateCost } from '../../config/cost.ts';
import { diffText } from '../../config/diff.ts';
import { fields, isActive } from '../../config/schema.ts';
import { slots } from '../../config/slots.ts';
import { rollouts } from '../../slots/registry.ts';
import { part } from '../Part.tsx';
import { useWholeConfig } from '../session.ts';
import { judgeNow, startFrom, useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { useForm } from './formStore.ts';
import { keyFields } from './keyFields.ts';
import { Row, SettingSearch } from './SettingSearch.tsx';
import { SlotGroup } from './SlotGroup.tsx';

// few people come with a config of another stack
const StackDialog = part(() => import('../stacks/StackDialog.tsx').then((m) => m.StackDialog));

const PeersPanel = part(() => import('../peers/PeersPanel.tsx').then((m) => m.PeersPanel));

/** What the run will take on this device, before it starts. A speed is that of the run in the worker: it counts for its size. */
function CostLine() {
  const config = useDraft((d) => d.config);
  const loaded = useWholeConfig();
  const calibrated = useRun((r) => r.calibrated);
  const speed = useRun((r) => r.calibrated?.stepsPerSecond ?? r.stepsPerSecond);
  const measured = calibrated?.of ?? loaded;
  const isOfSize = useMemo(() => measured !== null && isSameSize(measured, config), [measured, config]);
  const rate = isOfSize ? speed : null;
  const seconds = useSecondsOfDraft();
  const cost = useMemo(() => estimateCost(config, rate), [config, rate]);
  // which memory it takes is known with the rules: the issues of a draft come from them, too
  const issues = useDraft((d) => d.issues);
  const wish = config.run['backend'] as 'auto' | 'webgpu' | 'cpu';
  const backend = useRun((r) => (wish === 'auto' ? r.backend : wish));
  const cores = useRun((r) => r.device?.cores ?? 1);
  const held = useMemo(() => issues && judgeNow()?.bytesOf(config, backend, cores), [issues, config, backend, cores]);
  if (!cost) return null;
  return (
    <p className="quiet cost">
      {count(cost.parameters)} parameters
      {held ? ` · ${bytes(held)} of ${backend === 'webgpu' ? 'graphics memory' : 'memory'}` : ''}
      {` · up to ${count(cost.mostSteps)} steps per update`}
      {rate ? ` · about ${short(rate)} of them per second` : ''}
      {seconds !== null && ` · ${between(...seconds)} in all`}
    </p>
  );
}

/** The settings that matter for this experiment, or all of them slot by slot, with a search. */
function Settings() {
  const isAll = useForm((f) => f.isAll);
  const isSearching = useForm((f) => f.query.trim() !== '');
  const base = useDraft((d) => d.base);
  const config = useDraft((d) => d.config);
  const used = fields.filter((field) => field.setting !== null && isActive(config, field)).length;
  return (
    <>
      {rollouts.find(({ id }) => id === config.rollout.method)?.metrics?.includes('peerRows') && <PeersPanel />}
      {!isAll && keyFields(base, config).map((field) => <Row key={field.path} field={field} />)}
      <button
        type="button"
        className="allsettings"
        aria-expanded={isAll}
        onClick={() => useForm.setState({ isAll: !isAll, query: '' })}
      >
        {isAll ? 'Main settings' : `All ${used} settings`}
      </button>
      {isAll && <SettingSearch />}
      {isAll && !isSearching && slots.map((slot) => <SlotGroup key={slot.id} slot={slot} />)}
    </>
  );
}

/** The experiment in settings; everything here is derived from the schema. */
export function Form() {
  const base = useDraft((d) => d.base);
  const baseTitle = useDraft((d) => d.baseTitle);
  const config = useDraft((d) => d.config);
  const [isOther, setOther] = useState(false);
  const changes = diffText(base, config);
  const undoAll = (): void => {
    rememberForm();
    startFrom(base, baseTitle);
  };
  return (
    <form className="form" onSubmit={(event) => event.preventDefault()}>
      <div className="formhead">
        <h2>Setup</h2>
        {changes !== 'no change' && (
          <button type="button" onClick={undoAll}>
            Undo all changes
          </button>
        )}
      </div>
      <p className="quiet changes">
        {baseTitle}: {changes}
      </p>
      <Settings />
      <CostLine />
      <button type="button" aria-haspopup="dialog" onClick={compare}>
        Compare settings
      </button>
      <button type="button" aria-haspopup="dialog" onClick={() => setOther(true)}>
        Settings of verl or TRL
      </button>
      {isOther && <StackDialog close={() => setOther(false)} />}
    </form>
  );
}
