import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { MARK, withMarks, withoutWords, withPlaces } from './lib/pageWords.ts';

type Choice = { readonly optionLabels: readonly string[] };

const CODE = `
  const common = { gamma: { label: 'Discount', doc: 'Below 1, sooner counts more.' } };
  const settings = { own: { ...common.gamma, doc: 'It’s "quoted".' }, none: { doc: '' }, made: { doc: \`\${1}\` } };
  export const look = 'not a property';
  export { common, settings };`;

test('a help text is a mark in its record, and the list holds it at the place that the mark names', async () => {
  const found = new Map<string, string>();
  const marked = withMarks(CODE, parseAst(CODE), found);
  expect(marked).not.toContain('sooner');
  const records = withPlaces(marked, found);
  const { words } = (await load(withPlaces('export const words = __PAGE_WORDS__;', found))) as { words: string[] };
  const page = (await load(records)) as Page;
  const textOf = (text: string): string => words[parseInt(text.slice(MARK.length), 36)]!;
  expect(page.common.gamma.label).toBe('Discount');
  expect(textOf(page.common.gamma.doc)).toBe('Below 1, sooner counts more.');
  expect(textOf(page.settings.own.doc)).toBe('It’s "quoted".');
  expect([page.settings.none.doc, page.settings.made.doc, page.look]).toEqual(['', '1', 'not a property']);
});

test('of a method its formula and its paper are marks too; names and symbols of settings are not', async () => {
  const found = new Map<string, string>();
  const code = `defineReward({ title: 'Shaping', formula: 'r + F', source: { title: 'A paper', arxiv: '2505.10978', level: 'text' }, params: { w: { formula: 'w' } } });`;
  const marked = withMarks(code, parseAst(code), found);
  expect([...found.values()].sort()).toEqual(['r + F', '{"title":"A paper","arxiv":"2505.10978","level":"text"}']);
  expect(marked).not.toMatch(/A paper|2505/);
  const print = `defineReward({ id: 'x', finePrint: [{ on: 'Sum', paper: 'One.', code: 'Two.', lab: 'As the paper.' }] });`;
  const prints = new Map<string, string>();
  expect(withMarks(print, parseAst(print), prints)).not.toMatch(/One|Two|Sum/);
  expect([...prints.values()].sort()).toEqual(['As the paper.', 'One.', 'Sum', 'Two.']);
  expect(withoutWords(print, parseAst(print))).toContain("{ id: 'x', ...{} }");
  expect(marked).toContain("title: 'Shaping'");
  expect(marked).toContain("w: { formula: 'w' }");
});

test('the names of the options of a setting are one text, where they are written out', async () => {
  const found = new Map<string, string>();
  const code = `
    export const named = { options: ['a', 'b'], optionLabels: ['the first', 'a “second”'] };
    export const made = { options: ['a'], optionLabels: ['a'].map((id) => id + 1) };`;
  const page = (await load(withPlaces(withMarks(code, parseAst(code), found), found))) as Record<string, Choice>;
  expect([...found.values()]).toEqual(['["the first","a “second”"]']);
  expect(page['named']!.optionLabels).toEqual([`${MARK}0`]);
  expect(page['made']!.optionLabels).toEqual(['a1']);
});

test('the order in which modules are read changes nothing in the files', () => {
  const texts = ['const a = { doc: "one" };', 'const b = { doc: "two" };', 'const c = { doc: "three" };'];
  const filesOf = (order: readonly number[]): string[] => {
    const found = new Map<string, string>();
    const marked = new Map(order.map((k) => [k, withMarks(texts[k]!, parseAst(texts[k]!), found)]));
    return texts.map((_, k) => withPlaces(`${marked.get(k)} __PAGE_WORDS__`, found));
  };
  expect(filesOf([2, 0, 1])).toEqual(filesOf([0, 1, 2]));
});

test('a record for a worker keeps what is computed and named, and nothing that is only shown', async () => {
  const code = `
    const defineReward = (record) => record;
    const settings = (record) => record;
    const editor = 'heavy';
    const explained = { formula: 'A = R' };
    export const toy = defineReward({
      id: 'toy',
      title: 'Toy',
      source: { title: 'A paper', level: 'text' },
      formula: 'r + 1',
      params: settings({ bonus: { label: 'Bonus', doc: 'What it pays.', formula: 'b' } }),
      run: () => explained.formula,
    });
    export const world = { id: 'world', editor };`;
  const light = withoutWords(code, parseAst(code), new Set(['editor']));
  const { toy, world } = (await load(light)) as { toy: { run(): string }; world: object };
  expect(toy).toEqual({ id: 'toy', title: 'Toy', params: { bonus: { label: 'Bonus', doc: '' } }, run: toy.run });
  expect(toy.run()).toBe('A = R');
  expect(world).toEqual({ id: 'world' });
});

type Words = { readonly doc: string; readonly label: string };
type Page = {
  readonly common: Readonly<Record<'gamma', Words>>;
  readonly settings: Readonly<Record<'own' | 'none' | 'made', Words>>;
  readonly look: string;
};
const load = (code: string): Promise<unknown> => import(`data:text/javascript,${encodeURIComponent(code)}`);
