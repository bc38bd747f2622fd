import { useEffect, useState } from 'react';
import { configDigest } from '../../config/digest.ts';
import { diffText } from '../../config/diff.ts';
import { settledAt } from '../../config/events.ts';
import { parentOf } from '../../config/fork.ts';
import { setValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';

/** Names the parent of a forked run: its short name, the update, and what is different since. */
export function Origin({ config }: { config: Config }) {
  const origin = parentOf(config);
  const parent = origin?.parent ?? null;
  const [name, setName] = useState('');
  useEffect(() => {
    if (parent) void configDigest(parent).then(setName);
  }, [parent]);
  if (!origin) return null;
  const before = setValue(settledAt(origin.parent, origin.at), 'run.fork', '');
  return (
    <p className="origin">
      Fork of <code>{name}</code> after update {origin.at}: {diffText(before, origin.own)}. Its link repeats the parent
      up to there.
    </p>
  );
}
