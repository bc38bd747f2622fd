import { describe, expect, test } from 'vitest';
import { lines, mustRead, read, zipFile } from './sampleLogs.ts';
import { readLog, type ReadLog } from './read.ts';
import { NO_TEXT } from './table.ts';
import { turnsIn } from './written.ts';

/** A log in words: of each episode its task, its outcome, and state → action of every step, with the end. */
function told({ table }: ReadLog): string[] {
  const text = (number: number): string => (number === NO_TEXT ? '?' : table.texts.text(number));
  return Array.from({ length: table.episodes }, (_, i) => {
    const steps = Array.from({ length: table.start[i + 1]! - table.start[i]! }, (__, t) => table.start[i]! + t);
    const walk = steps.map((k) => `${text(table.state[k]!)} → ${text(table.action![k]!)}`).join(' | ');
    return `${table.taskNames[table.task[i]!]} ${table.outcome[i]}: ${walk} | ${text(table.finalText[i]!)}`;
  });
}

const step = (step_id: number, source: string, message: unknown, more: object = {}) => ({
  step_id,
  source,
  message,
  ...more,
});

/** A trajectory as an agent in a terminal leaves it behind. */
const trajectory = (version: string, id: string, keys: string, seen: string) => ({
  schema_version: version,
  trajectory_id: id,
  session_id: 'session',
  agent: { name: 'terminus-2', version: '2.0.0', model_name: 'a-model' },
  steps: [
    step(1, 'system', 'You are an agent.'),
    step(2, 'user', 'Make hello.txt.'),
    step(3, 'agent', 'I look around.', {
      tool_calls: [
        { tool_call_id: 'c1', function_name: 'bash_command', arguments: { keystrokes: 'ls\n', duration: 1 } },
      ],
      observation: { results: [{ source_call_id: 'c1', content: 'empty' }] },
      metrics: { prompt_tokens: 10, completion_tokens: 2, logprobs: [-0.5, -0.25] },
    }),
    step(4, 'agent', [{ type: 'text', text: 'Now I write.' }], {
      tool_calls: [{ tool_call_id: 'c2', function_name: 'bash_command', arguments: { keystrokes: keys } }],
      observation: { results: [{ source_call_id: 'c2', content: seen }] },
      metrics: { logprobs: [-1] },
    }),
    step(5, 'agent', 'Copied from before.', { is_copied_context: true }),
  ],
  final_metrics: { total_steps: 5 },
});

const result = (task: string, reward: number) => ({
  task_name: task,
  trial_name: `${task}__x`,
  verifier_result: { rewards: { reward } },
});

describe('ATIF', () => {
  const files = {
    'job/hello__aaa/agent/trajectory.json': JSON.stringify(
      trajectory('ATIF-v1.7', 't1', 'echo hi > hello.txt\n', 'done'),
      null,
      2,
    ),
    'job/hello__aaa/result.json': JSON.stringify(result('bench/hello', 1)),
    'job/hello__bbb/agent/trajectory.json': JSON.stringify(
      trajectory('ATIF-v1.0', 't2', 'cat hello.txt\n', 'no such file'),
    ),
    'job/hello__bbb/verifier/reward.txt': '0.0\n',
    'job/hello__bbb/result.json': JSON.stringify({ task_name: 'bench/hello' }),
    'job/config.yaml': 'a: 1',
  };
  const want = [
    'bench/hello 1: Make hello.txt. → bash_command {"duration":1,"keystrokes":"ls\\n"} | empty → bash_command {"keystrokes":"echo hi > hello.txt\\n"} | done',
    'bench/hello 0: Make hello.txt. → bash_command {"duration":1,"keystrokes":"ls\\n"} | empty → bash_command {"keystrokes":"cat hello.txt\\n"} | no such file',
  ];

  test('a folder of trials with their rewards beside them', async () => {
    const found = await mustRead(files);
    expect(told(found)).toEqual(want);
    expect([...found.table.numbers.logp!]).toEqual([-0.75, -1, -0.75, -1]);
    expect(found.found.sentence).toBe(
      'Trajectories in the Agent Trajectory Interchange Format, one file an episode: 2 episodes, 4 steps.',
    );
  });

  test('the same in a zip archive', async () => {
    const found = await readLog([zipFile(files)]);
    expect(found.ok && told(found)).toEqual(want);
  });

  test('rewards by the names of trajectories, in one file', async () => {
    const found = await mustRead({
      'a.json': JSON.stringify(trajectory('ATIF-v1.5', 't1', 'x', 'y')),
      'b.json': JSON.stringify(trajectory('ATIF-v1.6', 't2', 'x', 'z')),
      'rewards.json': JSON.stringify({ t1: { reward: 0.5, task: 'one' }, 'b.json': 1 }),
    });
    expect(told(found).map((line) => line.slice(0, 20))).toEqual(['one 0.5: Make hello.', 'Make hello.txt. 1: M']);
  });

  test('a later version, a trajectory without a reward and one without a step of an agent are said', async () => {
    const later = await read({ 'a.json': JSON.stringify(trajectory('ATIF-v2.0', 't', 'x', 'y')) });
    expect(!later.ok && later.sentence).toContain('its version is ATIF-v2.0; ATIF v1.0 to v1.7 are read');
    const unpaid = await read({ 'a.json': JSON.stringify(trajectory('ATIF-v1.7', 't', 'x', 'y')) });
    expect(!unpaid.ok && unpaid.sentence).toContain('No step has a reward and no episode an outcome.');
    const silent = { ...trajectory('ATIF-v1.7', 't', 'x', 'y'), steps: [step(1, 'user', 'Hello?')] };
    const none = await read({ 'a.json': JSON.stringify(silent) });
    expect(!none.ok && none.sentence).toContain('no step in it is of an agent');
  });
});

describe('verl', () => {
  const input = 'system\nYou are helpful.\nuser\nWhere is the key?\nassistant\n';
  const generation = (output: string, score: number, at = 3) => ({ input, output, gts: 'hall', score, step: at });

  test('equal inputs of one training step are a task, and an output is cut into turns where its roles are written', async () => {
    const found = await mustRead({
      '3.jsonl': lines(
        generation('I search.\nuser\n<tool_response>in the hall</tool_response>\nassistant\nIt is in the hall.', 1),
        generation('No idea.', 0),
        generation('No idea.', 0, 4),
      ),
    });
    expect(told(found).map((line) => line.replace(/^.*\(update/s, '(update'))).toEqual([
      '(update 3) 1: Where is the key? → I search. | <tool_response>in the hall</tool_response> → It is in the hall. | ?',
      '(update 3) 0: Where is the key? → No idea. | ?',
      '(update 4) 0: Where is the key? → No idea. | ?',
    ]);
    expect(found.table.tasks).toBe(2);
  });

  test.each([
    [
      'a template',
      '<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n',
      'a<|im_end|>\n<|im_start|>tool\nb<|im_end|>\n<|im_start|>assistant\nc<|im_end|>',
      'q',
      ['assistant a', 'tool b', 'assistant c'],
    ],
    [
      'tags of a search',
      'q',
      'think <search>x</search><information>found</information> so y',
      'q',
      ['assistant think <search>x</search>', 'tool found', 'assistant so y'],
    ],
    ['a tag that never ends', 'q', 'a <observation> b', 'q', ['assistant a <observation> b']],
    ['plain words', 'q', ' just words \n', 'q', ['assistant just words']],
  ])('turns in %s', (_, asked, output, first, want) => {
    const found = turnsIn(asked, output);
    expect(found.first).toBe(first);
    expect(found.turns.map(({ who, text }) => `${who} ${text}`)).toEqual(want);
  });
});

test('an episode a line, with its messages and calls of tools', async () => {
  const episode = (id: string, last: string, reward: number) => ({
    ...{ task_id: 'shop', episode_id: id, reward },
    messages: [
      { role: 'system', content: 'You shop.' },
      { role: 'user', content: 'Buy tea.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'search', arguments: '{"q": "tea"}' } }],
      },
      { role: 'tool', content: 'three teas' },
      { role: 'assistant', content: last },
    ],
  });
  expect(told(await mustRead({ 'x.jsonl': lines(episode('a', 'buy 1', 1), episode('b', 'leave', 0)) }))).toEqual([
    'shop 1: Buy tea. → search {"q": "tea"} | three teas → buy 1 | ?',
    'shop 0: Buy tea. → search {"q": "tea"} | three teas → leave | ?',
  ]);
  const shareGpt = {
    score: 1,
    conversations: [
      { from: 'human', value: 'Hi' },
      { from: 'gpt', value: 'Hello' },
    ],
  };
  expect(told(await mustRead({ 'x.jsonl': lines(shareGpt) }))).toEqual(['Hi 1: Hi → Hello | ?']);
});

test('one message a row: what the agent says is a step, a reward of a tool belongs to the step before it', async () => {
  const row = (episode: string, role: string, content: string, reward: number | null = null) => ({
    task: 'q',
    episode,
    role,
    content,
    reward,
  });
  const rows = [
    row('a', 'user', 'start'),
    row('b', 'user', 'start'),
    row('a', 'assistant', 'left'),
    row('b', 'assistant', 'right'),
    row('a', 'tool', 'a wall', 0),
    row('b', 'tool', 'a door', 0.5),
    row('b', 'assistant', 'open'),
    row('b', 'tool', 'outside', 0.5),
  ];
  const want = ['q 0: start → left | a wall', 'q 1: start → right | a door → open | outside'];
  expect(told(await mustRead({ 'x.jsonl': lines(...rows) }))).toEqual(want);
  const csv = [
    'task,episode,role,content,reward',
    ...rows.map((r) => `${r.task},${r.episode},${r.role},${r.content},${r.reward ?? ''}`),
  ].join('\n');
  expect(told(await mustRead({ 'x.csv': csv }))).toEqual(want);
});

test('an archive that is damaged or hides too much is refused with its reason', async () => {
  const whole = zipFile({ 'a.jsonl': lines({ episode: 'a', reward: 1 }) });
  const bytes: Uint8Array[] = [];
  for await (const part of whole.bytes()) bytes.push(part);
  const cut = bytes[0]!.subarray(0, bytes[0]!.length - 3);
  const file = {
    name: 'x.zip',
    size: cut.length,
    bytes: async function* () {
      yield cut;
    },
  };
  const refused = await readLog([file]);
  expect(!refused.ok && refused.sentence).toBe(
    '“x.zip” is a zip archive that cannot be read. It is not a zip archive, or a part of it is missing.',
  );
});
