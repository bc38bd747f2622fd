// One view of Horizon Lab in a page, and the line to it; how to use it: docs/embed.md.
const SANDBOX = 'allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox';

/** @type {typeof import('./lab-embed.d.ts').labEmbed} */
export function labEmbed(place, src, { height = 480, title = 'Horizon Lab', sandbox = SANDBOX } = {}) {
  const isAuto = height === 'auto';
  const { origin } = new URL(src, location.href);
  // without an origin of its own, a frame can be addressed by no name
  const isNamed = /\ballow-same-origin\b/.test(sandbox);
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', sandbox);
  Object.assign(frame, { title, width: '100%', height: isAuto ? 480 : height, loading: 'lazy' });
  frame.src = isAuto ? `${src}${src.includes('?') ? '&' : '?'}height=auto` : src;
  frame.style.border = '0';

  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const listeners = {};
  const asked = new Map();
  let count = 0;
  const post = (message) =>
    frame.contentWindow?.postMessage(JSON.stringify({ lab: 'lab/1', ...message }), isNamed ? origin : '*');

  let answer;
  const ready = new Promise((done) => (answer = done));
  const ask = async (type, fields) => {
    await ready;
    return new Promise((done, failed) => {
      asked.set(++count, [done, failed]);
      post({ type, re: count, ...fields });
    });
  };

  const hear = ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== (isNamed ? origin : 'null')) return;
    const message = JSON.parse(data);
    const { type, re, id, text, value } = message;
    // someone listens there now
    if (type === 'ready' && !message.nonce) post({ type: 'hello', nonce });
    if (message.nonce === nonce) answer(message);
    if (type === 'resize' && isAuto) frame.height = message.height;
    const [done, failed] = asked.get(re) ?? [];
    asked.delete(re);
    if (type === 'error') failed?.(Object.assign(new Error(text), { id }));
    else done?.(value);
    listeners[type]?.forEach((listener) => listener(message));
  };
  addEventListener('message', hear);
  place.append(frame);

  return {
    frame,
    ready,
    load: (payload) => ask('load', { payload }),
    run: () => ask('run'),
    pause: () => ask('pause'),
    step: () => ask('step'),
    seek: (update) => ask('seek', { update }),
    select: (trajectory, step) => ask('select', { trajectory, step }),
    view: (changes) => ask('view', changes),
    get: (what) => ask('get', { what }),
    on(type, listener) {
      (listeners[type] ??= new Set()).add(listener);
      return () => listeners[type].delete(listener);
    },
    remove() {
      removeEventListener('message', hear);
      frame.remove();
    },
  };
}
