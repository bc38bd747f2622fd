import { create } from 'zustand';
import { getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { look } from '../stores/view.ts';

export const METHOD = 'advantage.method';
export const TEXT = 'advantage.formula.text';

/** Where a text goes from the dialog, if not into the experiment. */
export type Taker = { readonly label: string; take(text: string): void };

type Formula = {
  readonly text: string;
  /** it was typed in the dialog, and has been used nowhere yet */
  readonly isTouched: boolean;
  /** what was typed before, when the dialog opened on another text: nothing is lost */
  readonly before: string | null;
  readonly taker: Taker | null;
};

export const useFormula = create<Formula>(() => ({ text: '', isTouched: false, before: null, taker: null }));

export const write = (text: string): void => useFormula.setState({ text, isTouched: true });

/** Opens the dialog on a text; an empty one leaves what was typed there and never used. */
export function openFormula(text: string, taker: Taker | null = null): void {
  const { text: old, isTouched, before } = useFormula.getState();
  const stays = isTouched && (text === '' || text === old);
  const left = isTouched && !stays && old.trim() !== '' ? old : before;
  useFormula.setState({ text: stays ? old : text, isTouched: stays, before: left, taker });
  look({ isWriting: true });
}

export const closeFormula = (): void => look({ isWriting: false });

/** The text has been taken where it was meant to go. */
export function used(): void {
  useFormula.setState({ isTouched: false });
  closeFormula();
}

/** The formula of an experiment; empty where it has another estimator. */
export const formulaIn = (config: Config): string =>
  config.advantage.method === 'formula' ? (getValue(config, TEXT) as string) : '';
