import { useState } from 'react';
import { refuse, useDraft } from '../stores/draft.ts';
import { heldNumber, shownNumber, type NumberSetting } from '../../core/settings.ts';

type Props = {
  id: string;
  helpId: string;
  /** of a field of the draft: what is refused stays there and beside Run; elsewhere it goes when the field is left */
  path?: string;
  setting: NumberSetting;
  value: number;
  set: (value: number) => void;
};

const STEPS = 200;

/** Position 0 … STEPS of a value on a logarithmic slider, and back with two significant digits. */
export function toSlider(value: number, setting: Pick<NumberSetting, 'min' | 'max'>): number {
  const low = Math.max(setting.min, setting.max * 1e-7);
  const at = Math.log(Math.max(value, low) / low) / Math.log(setting.max / low);
  return Math.round(at * STEPS);
}
export function fromSlider(at: number, setting: Pick<NumberSetting, 'min' | 'max'>): number {
  const low = Math.max(setting.min, setting.max * 1e-7);
  if (at <= 0) return setting.min;
  return Math.min(
    setting.max,
    Math.max(setting.min, Number((low * (setting.max / low) ** (at / STEPS)).toPrecision(2))),
  );
}

/** What was typed, as the config holds it; null if that is no number in range. */
export function readNumber(text: string, setting: NumberSetting): number | null {
  const n = text.trim() === '' ? NaN : heldNumber(setting, Number(text));
  const fits = Number.isFinite(n) && n >= setting.min && n <= setting.max;
  return fits && (setting.kind !== 'integer' || Number.isInteger(n)) ? n : null;
}

/** What a field of a setting takes: "a whole number", "a number with at most 3 decimals", "a number". */
function kindOf({ kind, per = 1 }: NumberSetting): string {
  if (kind !== 'integer') return 'A number';
  return per === 1 ? 'A whole number' : `A number with at most ${Math.log10(per)} decimals`;
}

type Typed = {
  readonly text: string | null;
  readonly type: (text: string, isGood: boolean) => void;
  readonly leave: () => void;
};

/** What was typed, as long as someone types. What the draft refuses stays until it is mended: nothing is lost by leaving. */
function useTyped(path: string | undefined): Typed {
  const [own, setOwn] = useState<string | null>(null);
  const kept = useDraft((d) => (path === undefined ? undefined : d.refused[path]));
  return {
    text: kept ?? own,
    type(text, isGood) {
      setOwn(text);
      if (path !== undefined) refuse(path, isGood ? null : text);
    },
    leave: () => setOwn(null),
  };
}

/** Why what was typed is not taken, and the way back to what counted before. */
function Refused({ id, why, path, back }: { id: string; why: string; path: string | undefined; back: string }) {
  return (
    <>
      <span id={`${id}-bad`} className="issue error" role="alert">
        {why}, please.
      </span>
      {path !== undefined && (
        <button type="button" onClick={() => refuse(path, null)}>
          Keep {back}
        </button>
      )}
    </>
  );
}

/** Typing, arrows, and for wide ranges a logarithmic slider beside it. What is typed counts once it is a number in range. */
export function NumberInput({ id, helpId, path, setting, value, set }: Props) {
  const { text, type, leave } = useTyped(path);
  const isBad = text !== null && readNumber(text, setting) === null;
  const [least, most] = [shownNumber(setting, setting.min), shownNumber(setting, setting.max)];
  const take = (next: string): void => {
    const n = readNumber(next, setting);
    type(next, n !== null);
    if (n !== null) set(n);
  };
  return (
    <>
      <input
        id={id}
        aria-describedby={isBad ? `${id}-bad` : helpId}
        aria-invalid={isBad || undefined}
        type="number"
        inputMode="decimal"
        step={setting.kind === 'integer' ? shownNumber(setting, 1) : 'any'}
        min={least}
        max={most}
        value={text ?? String(shownNumber(setting, value))}
        onChange={(event) => take(event.target.value)}
        onBlur={leave}
      />
      {setting.scale === 'log' && (
        <input
          type="range"
          aria-label={`${setting.label}, slider`}
          min={0}
          max={STEPS}
          value={toSlider(value, setting)}
          onChange={(event) => set(fromSlider(Number(event.target.value), setting))}
        />
      )}
      {isBad && (
        <Refused
          id={id}
          why={`${kindOf(setting)} from ${least} to ${most}`}
          path={path}
          back={String(shownNumber(setting, value))}
        />
      )}
    </>
  );
}

/** A short list of whole numbers, such as the widths of hidden layers: "64, 64". */
export function IntegersInput({
  id,
  helpId,
  path,
  value,
  set,
}: {
  id: string;
  helpId: string;
  path?: string;
  value: readonly number[];
  set: (v: number[]) => void;
}) {
  const { text, type, leave } = useTyped(path);
  const read = (next: string): number[] | null => {
    const list = next
      .split(/[\s,×x]+/)
      .filter((part) => part !== '')
      .map(Number);
    return list.length >= 1 && list.length <= 6 && list.every((n) => Number.isInteger(n) && n >= 1 && n <= 512)
      ? list
      : null;
  };
  const isBad = text !== null && read(text) === null;
  return (
    <>
      <input
        id={id}
        aria-describedby={isBad ? `${id}-bad` : helpId}
        aria-invalid={isBad || undefined}
        type="text"
        value={text ?? value.join(', ')}
        onChange={(event) => {
          const list = read(event.target.value);
          type(event.target.value, list !== null);
          if (list) set(list);
        }}
        onBlur={leave}
      />
      {isBad && (
        <Refused
          id={id}
          why="One to six whole numbers from 1 to 512, separated by commas"
          path={path}
          back={value.join(', ')}
        />
      )}
    </>
  );
}
