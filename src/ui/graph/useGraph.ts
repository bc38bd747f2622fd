import { useEffect, useRef, useState } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { useRunConfig } from '../session.ts';
import { sourceOf } from '../stage/world.ts';
import { groupOf, type Answer, type Group, type Question } from './question.ts';

/** A finished graph with what it was made from. */
export type Made = Answer & { readonly group: Group; readonly history: number };

type Asked = {
  readonly snapshot: Snapshot;
  readonly task: number;
  readonly history: number;
  readonly open: readonly number[];
};

/**
 * The graph of a task group, made in a worker; the last one stays until the next is ready. One question is on its way
 * at a time, and of those that come meanwhile only the newest is asked.
 */
export function useGraph(asked: Asked | null): { made: Made | null; failed: string | null } {
  const config = useRunConfig();
  const [made, setMade] = useState<Made | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const desk = useRef<Desk | null>(null);
  useEffect(() => {
    const own = new Desk(setMade, setFailed);
    desk.current = own;
    return () => own.close();
  }, []);
  const { snapshot, task, history, open } = asked ?? { snapshot: null, task: 0, history: 0, open: NOTHING };
  useEffect(() => {
    if (!snapshot || !config) return;
    const group = groupOf(snapshot, task);
    const { batch, state } = group;
    const source = sourceOf(config, snapshot.levelSeeds[group.members[0]!]!);
    desk.current?.ask(group, { batch, state, words: snapshot.words, source, history, open });
  }, [config, snapshot, task, history, open]);
  return { made: snapshot ? made : null, failed };
}

const NOTHING: readonly number[] = [];

class Desk {
  private readonly worker = new Worker(new URL('./graph.worker.ts', import.meta.url), { type: 'module' });
  private readonly done: (made: Made) => void;
  private id = 0;
  private asking: { group: Group; history: number } | null = null;
  private next: { group: Group; question: Omit<Question, 'id'> } | null = null;

  constructor(done: (made: Made) => void, failed: (why: string) => void) {
    this.done = done;
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => this.take(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      failed('The graph could not be made. Another task or a shorter history may work.');
      this.asking = null;
    };
  }

  ask(group: Group, question: Omit<Question, 'id'>): void {
    if (this.asking) {
      this.next = { group, question };
      return;
    }
    this.asking = { group, history: question.history };
    const full: Question = { ...question, id: ++this.id };
    this.worker.postMessage(full);
  }

  private take(answer: Answer): void {
    const { asking, next } = this;
    this.asking = null;
    this.next = null;
    if (asking) this.done({ ...answer, ...asking });
    if (next) this.ask(next.group, next.question);
  }

  close(): void {
    this.worker.terminate();
  }
}
