import type { Job, Queue, QueueEvents } from 'bullmq';
import type { Cell } from '../../lab/sweep/expand.ts';
import { packed, parcelOf, type Parcel, unpacked } from './parcel.ts';
import { refusalOf, serverOf, type Server } from './server.ts';

/** Every sweep of a server puts its cells here; the number of a database in the address keeps projects apart. */
export const QUEUE = 'horizon-lab-cells';
/** How often a cell is begun again after its worker has gone, before it counts as what ended them. */
export const MOST_TAKEOVERS = 5;
/** Cells that are put into the queue by one command. */
const AT_ONCE = 100;
/** Milliseconds that a client has to say goodbye. */
const CLOSE_MS = 3000;
const DISCONNECT_MS = 500;
const MISSING =
  '--queue needs the packages bullmq and ioredis, which are not installed here; run npm ci in the folder of the lab.';

export type BullMq = typeof import('bullmq');

/** The client, loaded when somebody asks for a queue; a text is the sentence of why there is none. */
export async function reach(address: string): Promise<{ readonly bull: BullMq; readonly server: Server } | string> {
  const server = serverOf(address);
  if (typeof server === 'string') return server;
  let bull: BullMq;
  try {
    bull = await import('bullmq');
    await import('ioredis');
  } catch {
    return MISSING;
  }
  return (await refusalOf(server)) ?? { bull, server };
}

/** Says once that the connection is lost, and once that it is back, however many clients notice. */
export class Outage {
  private isOut = false;
  private isOver = false;
  private readonly name: string;
  private readonly tell: (sentence: string) => void;

  constructor(name: string, tell: (sentence: string) => void) {
    this.name = name;
    this.tell = tell;
  }

  readonly lost = (): void => {
    if (!this.isOut && !this.isOver) this.tell(`The server at ${this.name} does not answer any more; waiting for it.`);
    this.isOut = true;
  };

  /** From here on connections end because somebody here ends them: nothing is said any more. */
  readonly over = (): void => void (this.isOver = true);

  /** Whether the server is away, as far as somebody here noticed. */
  get isOn(): boolean {
    return this.isOut;
  }

  readonly back = (): void => {
    if (this.isOut && !this.isOver) this.tell(`The server at ${this.name} answers again.`);
    this.isOut = false;
  };
}

/** Where a cell of the queue stands. */
export type Standing =
  | { readonly kind: 'waiting' | 'training' | 'gone' }
  | { readonly kind: 'ended'; readonly trained: Awaited<ReturnType<typeof unpacked>> };

/** What happens to cells, by their names in the queue. */
export type Heard = {
  readonly began: (key: string) => void;
  readonly told: (key: string, share: number) => void;
  readonly ended: (key: string) => void;
};

/** Name of a cell in the queue: its address, and that of what is measured beside it. */
export const keyOf = ({ address, measure }: Cell): string => (measure ? `${address}.${measure.address}` : address);
/** What no number is, so that the queue takes it as the name of a job. */
const idOf = (cell: Cell): string => `cell-${keyOf(cell)}`;
const keyIn = (id: string): string => id.replace(/^cell-/, '');

/** The side of the queue that puts cells in and takes results out. The address of a cell is its name there: it is in it once. */
export class CellQueue {
  readonly name: string;
  private readonly outage: Outage;
  private readonly queue: Queue<Parcel, string, 'cell'>;
  private readonly events: QueueEvents;

  constructor({ bull, server }: { readonly bull: BullMq; readonly server: Server }, outage: Outage) {
    this.name = server.name;
    this.outage = outage;
    this.queue = new bull.Queue<Parcel, string, 'cell'>(QUEUE, { connection: server.options });
    this.events = new bull.QueueEvents(QUEUE, { connection: server.options });
    this.queue.on('error', outage.lost);
    this.queue.on('ioredis:close', outage.lost);
    this.events.on('error', outage.lost);
    this.events.on('ioredis:close', outage.lost);
  }

  async listen({ began, told, ended }: Heard): Promise<void> {
    this.events.on('active', ({ jobId }) => began(keyIn(jobId)));
    this.events.on('progress', ({ jobId, data }) => void (typeof data === 'number' && told(keyIn(jobId), data)));
    this.events.on('completed', ({ jobId }) => ended(keyIn(jobId)));
    this.events.on('failed', ({ jobId }) => ended(keyIn(jobId)));
    await this.events.waitUntilReady();
  }

  /** Puts cells into the queue, in their order; what is in it already stays as it is. */
  async put(cells: readonly Cell[]): Promise<void> {
    for (let k = 0; k < cells.length; k += AT_ONCE) {
      const some = cells.slice(k, k + AT_ONCE);
      await this.queue.addBulk(
        some.map((cell) => ({
          name: 'cell' as const,
          data: parcelOf(cell),
          opts: { jobId: idOf(cell), attempts: 1 },
        })),
      );
    }
  }

  async standing(cell: Cell): Promise<Standing> {
    const job = (await this.queue.getJob(idOf(cell))) as Job<Parcel> | undefined;
    if (!job) return { kind: 'gone' };
    switch (await job.getState()) {
      case 'completed':
        return { kind: 'ended', trained: await unpacked(cell, job.data.trained ?? '') };
      case 'failed': {
        const isLost = (job.failedReason ?? '').includes('stalled');
        const problem = isLost
          ? `The workers that trained it went away, ${MOST_TAKEOVERS + 1} of them.`
          : `Its worker said: ${(job.failedReason ?? '').slice(0, 200)}`;
        return { kind: 'ended', trained: { problem } };
      }
      case 'active':
        return { kind: 'training' };
      case 'unknown':
        return { kind: 'gone' };
      default:
        return { kind: 'waiting' };
    }
  }

  /** Takes a cell out; false where it is being trained: it stays. */
  async take(cell: Cell): Promise<boolean> {
    return (await this.queue.remove(idOf(cell))) === 1;
  }

  /** Workers that listen now; null where the server does not tell. */
  async workers(): Promise<number | null> {
    return this.queue.getWorkersCount().catch(() => null);
  }

  async close(): Promise<void> {
    this.outage.over();
    await closed([this.events, this.queue], this.outage);
  }
}

/** Closes clients, and does not wait for a server that is gone: not at all where that is known. */
export async function closed(
  clients: readonly Pick<Queue, 'close' | 'disconnect'>[],
  { isOn }: Pick<Outage, 'isOn'>,
): Promise<void> {
  if (isOn) return;
  await within(CLOSE_MS, Promise.allSettled(clients.map((client) => client.close())));
  // of one that is just looking for its server this never ends
  await within(DISCONNECT_MS, Promise.allSettled(clients.map((client) => client.disconnect())));
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

/** Puts the result of a cell beside it. It is no value of the job: those go to everybody who listens, and are kept there. */
export async function giveBack(job: Job<Parcel>, cell: Cell, trained: Parameters<typeof packed>[1]): Promise<void> {
  await job.updateData({ ...job.data, trained: await packed(cell, trained) });
}
