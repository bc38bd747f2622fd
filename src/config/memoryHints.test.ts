import { describe, expect, test } from 'vitest';
import { networks } from '../networks/registry.ts';
import { checkRules } from './rules.ts';
import { configWith } from './schema.ts';

const isTold = (changes: Readonly<Record<string, unknown>>): boolean =>
  checkRules(configWith(changes)).some(
    ({ path, severity, message }) => path === 'policy.method' && severity === 'hint' && message.includes('no gain'),
  );

describe.each(networks.map((network) => [network.title, network] as const))('%s', (_title, { id, reads, view }) => {
  const of = (changes: Readonly<Record<string, unknown>> = {}) => isTold({ 'policy.method': id, ...changes });

  test('a memory where everything is in view gains nothing, and the form says so', () => {
    expect(of()).toBe(reads !== undefined);
    expect(of({ 'task.method': 'sokoban' })).toBe(reads !== undefined);
  });

  test('nothing is said where the view leaves something out, or something stands between agent and world', () => {
    expect(of({ 'task.method': 'textmaze' })).toBe(false);
    if (view) return;
    expect(of({ 'task.grid.view': 'ego' })).toBe(false);
    expect(of({ 'task.actionDelay': 2 })).toBe(false);
  });
});

test('a transformer that reads no commands of its past has no memory to speak of', () => {
  expect(isTold({ 'policy.method': 'transformer', 'policy.transformer.history': 0 })).toBe(false);
});
