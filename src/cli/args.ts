/** Command-line words split into commands and options; `--set a=b` may repeat. */
export type Args = {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  readonly sets: readonly string[];
};

const FLAGS = [
  'updates',
  'seeds',
  'seed',
  'cores',
  'backend',
  'out',
  'set',
  'json',
  'aliases',
  'only',
  'jobs',
  'threshold',
  'from',
  'formula',
  'score',
  'tasks',
  'queue',
  'takeover',
  'bundle',
  'parquet',
  'weights',
  'report',
  'title',
  'question',
  'estimators',
  'map',
  'key',
  'skip-bad',
  'share-ends',
  'depth',
  'width',
  'leaf',
  'commit',
  'gamma',
  'checkpoints',
];
/** Options that stand for themselves. */
const SWITCHES = [
  'aliases',
  'tasks',
  'bundle',
  'parquet',
  'weights',
  'report',
  'skip-bad',
  'share-ends',
  'checkpoints',
];

/** A sentence when an option is unknown or has no value, else the split words. */
export function readArgs(argv: readonly string[]): Args | string {
  const words: string[] = [];
  const options: Record<string, string> = {};
  const sets: string[] = [];
  for (let k = 0; k < argv.length; k++) {
    const word = argv[k]!;
    if (!word.startsWith('--')) {
      words.push(word);
      continue;
    }
    const [name, inline] = word.slice(2).split(/=(.*)/s, 2) as [string, string?];
    if (!FLAGS.includes(name))
      return `There is no option --${name}; the options are ${FLAGS.map((f) => `--${f}`).join(', ')}.`;
    const value = inline ?? (SWITCHES.includes(name) ? 'true' : argv[++k]);
    if (value === undefined) return `The option --${name} needs a value.`;
    if (name === 'set') sets.push(value);
    else options[name] = value;
  }
  return { words, options, sets };
}

/** Prints how a command is called, where that was asked for. */
export function helped(argv: readonly string[], usage: string): boolean {
  const asked = argv.includes('--help') || argv.includes('-h');
  if (asked) console.log(usage);
  return asked;
}
