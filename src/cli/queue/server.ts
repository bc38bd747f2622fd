/** A server of Redis or Valkey: how to reach it, and its name without what nobody is to read. */
export type Server = {
  readonly name: string;
  readonly options: {
    readonly host: string;
    readonly port: number;
    readonly db: number;
    readonly username?: string;
    readonly password?: string;
    readonly tls?: Record<string, never>;
  };
};

const HOW = 'an address such as redis://host:6379';
const CONNECT_MS = 5000;
/** What BullMQ needs; Valkey counts as the Redis that it says it is. */
const LEAST = [6, 2] as const;

/**
 * Reads an address; a text is the sentence of what is wrong with it. The password may be in it, or in LAB_QUEUE_PASSWORD
 * where the list of processes is not to show it; it is in no sentence.
 */
export function serverOf(address: string, password = process.env['LAB_QUEUE_PASSWORD']): Server | string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return `--queue takes ${HOW}.`;
  }
  if (!['redis:', 'rediss:', 'valkey:', 'valkeys:'].includes(url.protocol) || url.hostname === '')
    return `--queue takes ${HOW}; rediss:// is the same over TLS.`;
  const db = url.pathname.replace(/^\//, '');
  if (!/^\d*$/.test(db)) return '--queue may end with the number of a database, as in redis://host:6379/2.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? 6379 : Number(url.port);
  const isSafe = ['rediss:', 'valkeys:'].includes(url.protocol);
  const secret = url.password === '' ? password : decodeURIComponent(url.password);
  return {
    name: `${isSafe ? 'rediss' : 'redis'}://${url.hostname}:${port}${db === '' ? '' : `/${db}`}`,
    options: {
      ...{ host, port, db: Number(db) },
      ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
      ...(secret === undefined || secret === '' ? {} : { password: secret }),
      ...(isSafe ? { tls: {} } : {}),
    },
  };
}

/** Null if the server answers and can hold a queue; else the sentence of why not. */
export async function refusalOf({ options, name }: Server): Promise<string | null> {
  const { Redis } = await import('ioredis');
  const client = new Redis({
    ...options,
    ...{ lazyConnect: true, connectTimeout: CONNECT_MS, maxRetriesPerRequest: 0, retryStrategy: () => null },
  });
  let trouble: Error | null = null;
  client.on('error', (error) => void (trouble ??= error));
  try {
    await client.connect();
    if (options.db > 0) await client.select(options.db); // what is wrong with it is not heard otherwise
    const version = /^redis_version:(\d+)\.(\d+)/m.exec(await client.info('server'));
    if (version === null) return `At ${name} something answers that is neither Redis nor Valkey.`;
    const [major, minor] = [Number(version[1]), Number(version[2])];
    if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1]))
      return `The server at ${name} is Redis ${major}.${minor}; a queue needs ${LEAST.join('.')} or newer.`;
    return null;
  } catch (error) {
    return `${because(trouble ?? (error as Error), name)}`;
  } finally {
    client.disconnect();
  }
}

/** In one sentence, and never with what the client itself says: it may name the password. */
function because(error: Error & { readonly code?: string }, name: string): string {
  const { message, code } = error;
  if (/WRONGPASS|NOAUTH|NOPERM|invalid password|without any password/i.test(message))
    return `The server at ${name} did not accept the user or password of --queue.`;
  if (/DB index/i.test(message)) return `The server at ${name} has no database of this number.`;
  const isSafe = name.startsWith('rediss:');
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `The certificate of the server at ${name} is of an authority that is not known here; name a file with that authority in NODE_EXTRA_CA_CERTS.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate of the server at ${name} is for another name than that of --queue.`;
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `The certificate of the server at ${name} is not valid today.`;
    case 'ECONNREFUSED':
      return `No server answers at ${name}: nothing listens on that port.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `No server answers at ${name}: there is no host of that name.`;
    case 'ECONNRESET':
      return isSafe
        ? `The server at ${name} ended the connection.`
        : `The server at ${name} ended the connection; if it speaks TLS, its address begins with rediss://.`;
    default:
      return `No server answers at ${name}; check the address, the port and the network${isSafe ? ', and whether it speaks TLS: without, the address begins with redis://' : ''}.`;
  }
}
