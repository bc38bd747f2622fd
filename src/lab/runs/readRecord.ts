import * as v from 'valibot';
import { withLaterSettings } from '../../config/migrations.ts';
import { problemText } from '../../config/problems.ts';
import { parseConfig } from '../../config/schema.ts';
import { parse } from '../../core/settings.ts';
import { TRAINED_ON } from '../../core/trainedOn.ts';
import { LAB_VERSION } from '../../core/version.ts';
import { RUN_STATES, type RunRecord } from './record.ts';

const numbers = v.array(v.number());
const text = v.nullable(v.string());
const number = v.nullable(v.number());

const recordSchema = v.object({
  ...{ id: v.string(), batch: v.string(), origin: v.picklist(['page', 'sweep', 'bundle']) },
  ...{ config: v.record(v.string(), v.unknown()), address: v.string(), group: v.string(), title: v.string() },
  ...{
    seed: v.number(),
    state: v.picklist(RUN_STATES),
    problem: text,
    diverged: v.optional(v.number()),
    update: v.number(),
    updates: v.number(),
  },
  ...{ envSteps: v.number(), seconds: v.number(), backend: v.picklist(TRAINED_ON), score: number, best: number },
  ...{ entropy: number, ess: number, evaluations: v.object({ updates: numbers, steps: numbers, success: numbers }) },
  ...{ digest: text, version: v.string(), startedAt: v.number(), changedAt: v.number() },
  ...{ tags: v.array(v.string()), note: v.string(), isPinned: v.boolean() },
});

/**
 * A record as an earlier page has left it: itself where this version wrote it, with its config carried up where another
 * one did; or the sentence of why it cannot be read. What a later version has added to records stays in them.
 */
export function readRecord(found: unknown): RunRecord | string {
  const parsed = parse(recordSchema, found);
  if (!parsed.ok) {
    const first = parsed.issues[0];
    return `The field ${first?.path || 'record'} of it ${first?.message ?? 'has another form'}.`;
  }
  const record = found as RunRecord; // the schema has just been held against it
  if (record.version === LAB_VERSION) return record;
  const config = parseConfig(withLaterSettings(record.config));
  return config.ok ? { ...record, config: config.value } : problemText(config.problem).sentence;
}
