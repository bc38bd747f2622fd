import { useState } from 'react';
import { actingIn, fields, getValue, isActive, isStacked, methodOf, type Field } from '../../config/schema.ts';
import type { Module, Slot } from '../../config/slots.ts';
import { useDraft } from '../stores/draft.ts';
import { Formula } from '../glossary/Formula.tsx';
import { part } from '../Part.tsx';
import { useTurn } from '../useTurn.ts';
import { ResetReference } from '../timeline/ResetReference.tsx';
import { sourceOf, wordsOf } from '../../config/words/wordsOf.ts';
import { FineTable } from './FineTable.tsx';
import { FieldRow } from './FieldRow.tsx';
import { MethodRow } from './MethodRow.tsx';
import { summaryOf } from './summary.ts';

const LabelMessages = part(() => import('../timeline/LabelMessages.tsx').then((m) => m.LabelMessages));
const HorizonCard = part(() => import('../solve/HorizonCard.tsx').then((m) => m.HorizonCard), null);

const OPEN = ['task', 'advantage', 'run'];

/** What the chosen method is, and where it comes from. */
function MethodCard({ module, slot }: { module: Module; slot: Slot }) {
  if (module.doc === '' && !module.source) return null;
  const source = module.source && sourceOf(module.source);
  return (
    <div className="card">
      {module.formula && (
        <p className="formula">
          <Formula text={module.formula} path={`${slot.id}.${module.id}`} />
        </p>
      )}
      {module.doc !== '' && <p>{wordsOf(module.doc)}</p>}
      {source && (
        <p className="quiet">
          {source.title}
          {source.arxiv && <> · arXiv {source.arxiv}</>}
          {source.level && <> · {LEVELS[source.level] ?? source.level}</>}
        </p>
      )}
      {module.finePrint && <FineTable rows={module.finePrint} />}
    </div>
  );
}

const LEVELS: Readonly<Record<string, string>> = {
  code: 'checked against code',
  text: 'from the paper’s text',
  digest: 'from others’ descriptions',
  abstract: 'from the abstract',
  restated: 'The formula is this lab’s, made from the abstract of the paper.',
  textbook: 'textbook',
};

/** True as soon as there is something to see inside, and from then on: nothing closes over what was just mended. */
function useOpen(isWanted: boolean): boolean {
  const [isOpen, setOpen] = useState(isWanted);
  if (isWanted && !isOpen) setOpen(true);
  return isOpen || isWanted;
}

/** Settings that few people change; open where one of them was changed or is wrong. */
function Fold({ name, fields: shown }: { name: string; fields: readonly Field[] }) {
  const config = useDraft((d) => d.config);
  const issues = useDraft((d) => d.issues);
  const isUsed = shown.some(
    (f) =>
      JSON.stringify(getValue(config, f.path)) !== JSON.stringify(f.setting!.default) ||
      issues.some((i) => i.path === f.path),
  );
  return (
    <details className="fold" open={useOpen(isUsed)}>
      <summary>{name}</summary>
      {shown.map((field) => (
        <FieldRow key={field.path} field={field} />
      ))}
    </details>
  );
}

/** One slot of the pipeline: closed it is one line, open it shows the settings its method uses. */
export function SlotGroup({ slot }: { slot: Slot }) {
  const config = useDraft((d) => d.config);
  const hasIssue = useDraft((d) => d.issues.some((i) => i.severity === 'error' && i.path.startsWith(`${slot.id}.`)));
  const isOpen = useOpen(OPEN.includes(slot.id) || hasIssue);
  const shown = fields.filter((f) => f.slot.id === slot.id && f.setting !== null && isActive(config, f));
  // what belongs to the method first, what every method has behind it
  const isCommon = (f: Field): boolean => f.path.split('.').length === 2;
  const own = [...shown.filter((f) => !isCommon(f)), ...shown.filter(isCommon)];
  const isOfStack = (f: Field): boolean => f.module !== null && isStacked(slot, f.module);
  const plain = own.filter((f) => !f.setting?.group && !isOfStack(f));
  const folds = [...new Set(own.flatMap((f) => (isOfStack(f) ? [] : (f.setting?.group ?? []))))];
  const method = slot.modules.find((m) => m.id === methodOf(config, slot.id));
  const acting = actingIn(config, slot).map((a) => a.module);
  const isDrawn = useTurn();
  if (shown.length === 0 && slot.modules.length < 2) return null;
  return (
    <details className="slot" open={isOpen}>
      <summary>
        <span className="slotname">{slot.title}</span>
        <span className="slotline">{summaryOf(config, slot)}</span>
      </summary>
      {isDrawn && (
        <>
          <p className="quiet">{wordsOf(slot.doc)}</p>
          {method && slot.modules.length > 1 && !slot.follows && <MethodRow slot={slot} />}
          {method && slot.modules.length > 1 && <MethodCard slot={slot} module={method} />}
          {plain.map((field) => (
            <FieldRow key={field.path} field={field} />
          ))}
          {slot.id === 'task' && <HorizonCard />}
          {slot.id === 'objective' && <ResetReference />}
          {slot.id === 'reward' && <LabelMessages />}
          {slot.stack?.map((m) => (
            <div key={m.id} className="stacked">
              {own.map((f) => f.module === m.id && <FieldRow key={f.path} field={f} />)}
              {acting.includes(m) && m.source && <MethodCard slot={slot} module={{ ...m, doc: '', formula: '' }} />}
            </div>
          ))}
          {folds.map((name) => (
            <Fold key={name} name={name} fields={own.filter((f) => f.setting?.group === name)} />
          ))}
        </>
      )}
    </details>
  );
}
