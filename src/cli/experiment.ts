import { readFile } from 'node:fs/promises';
import { decodeLink, payloadOf } from '../config/link.ts';
import { withLaterSettings } from '../config/migrations.ts';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig, presets } from '../config/presets.ts';
import { problemLine } from '../config/problems.ts';
import { checkRules } from '../config/rules.ts';
import { defaultConfig, fieldAt, parseConfig, setValue } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Args } from './args.ts';

export type Experiment = { readonly name: string; readonly config: Config };

/** Reads what to run: a preset, a config file, or a link. A string is the sentence of what is wrong. */
export async function source(what: string): Promise<Experiment | string> {
  const preset = presetById(what);
  if (preset) return { name: preset.id, config: presetConfig(preset) };
  if (what.endsWith('.json')) {
    let raw: unknown;
    try {
      raw = JSON.parse(await readFile(what, 'utf8'));
    } catch (error) {
      return `The file ${what} could not be read as JSON: ${error instanceof Error ? error.message : String(error)}`;
    }
    const parsed = parseConfig(withLaterSettings(raw));
    return parsed.ok ? { name: what, config: parsed.value } : problemLine(parsed.problem);
  }
  const shared = decodeLink(payloadOf(what));
  if (shared.ok) return { name: shared.value.title ?? 'link', config: shared.value.config };
  const named = `“${what.slice(0, 60)}” is neither a preset, a .json file, nor a link`;
  // a name has none of these
  if (/[#/:]/.test(what)) return `${named} that can be read. ${problemLine(shared.problem)}`;
  return `${named}. The presets are ${presets.map((p) => p.id).join(', ')}.`;
}

/** Reads a config of another stack and says what became of each of its settings. A string is the sentence of what is wrong. */
async function fromStack(path: string, base?: Config): Promise<Experiment | string> {
  const [{ readText }, { lineOf, partsOf }] = await Promise.all([
    import('../config/stacks/readText.ts'),
    import('../config/stacks/words.ts'),
  ]);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return `The file ${path} could not be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  const read = await readText(text, base);
  if (typeof read === 'string') return read;
  console.log(`${path}: settings of ${read.stack}`);
  for (const [title, lines] of partsOf(read)) {
    console.log(`${title}: ${lines.length}`);
    for (const line of lines) console.log(`  ${lineOf(line, read.stack)}`);
  }
  return { name: path, config: read.config };
}

/** A file without blank ends; null where it cannot be read. */
const textOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

/** Value of `--set path=value` in the type its field has. */
function typed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * The experiment with the options laid over it, checked as the page checks it. With `--from` the settings of another stack
 * are laid over it first; without a word, over the experiment of a new visitor.
 */
export async function experimentOf(what: string | undefined, { options, sets }: Args): Promise<Experiment | string> {
  const under = what === undefined ? { name: 'default', config: defaultConfig() } : await source(what);
  if (typeof under === 'string') return under;
  const from = options['from'];
  const found = from === undefined ? under : await fromStack(from, under.config);
  if (typeof found === 'string') return found;
  const changes: [string, unknown][] = [];
  for (const [option, path] of [
    ['updates', 'run.updates'],
    ['seeds', 'run.seeds'],
    ['seed', 'run.seed'],
    ['backend', 'run.backend'],
  ] as const) {
    if (options[option] !== undefined) changes.push([path, typed(options[option])]);
  }
  if (options['formula'] !== undefined) {
    const text = await textOf(options['formula']);
    if (text === null) return `The formula ${options['formula'].slice(0, 200)} could not be read as a file.`;
    changes.push(['advantage.method', 'formula'], ['advantage.formula.text', text]);
  }
  for (const set of sets) {
    const [path, text] = set.split(/=(.*)/s, 2) as [string, string?];
    if (text === undefined || !fieldAt(path))
      return `--set ${set.slice(0, 60)}: there is no field “${path.slice(0, 60)}”.`;
    changes.push([path, typed(text)]);
  }
  const config = changes.reduce((c, [path, value]) => setValue(c, path, value), found.config);
  const parsed = parseConfig(config);
  if (!parsed.ok) return problemLine(parsed.problem);
  await prepareTask(parsed.value);
  const error = checkRules(parsed.value).find((issue) => issue.severity === 'error');
  if (error) return `The field ${error.path} ${error.message}.${error.repair ? ` Repair: ${error.repair.label}.` : ''}`;
  return { name: found.name, config: parsed.value };
}
