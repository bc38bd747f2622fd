import type { Kernel } from '../kernel.ts';
import tokenPack from './network/tokenPack/tokenPack.wgsl?raw';
import tokenEmbed from './network/tokenEmbed/tokenEmbed.wgsl?raw';
import tokenEmbedGradient from './network/tokenEmbed/tokenEmbedGradient.wgsl?raw';
import distanceGradient from './network/attention/distanceGradient.wgsl?raw';
import gatherRows from './network/gatherRows/gatherRows.wgsl?raw';
import scatterRows from './network/gatherRows/scatterRows.wgsl?raw';
import tokenHead from './network/tokenHead/tokenHead.wgsl?raw';
import tokenHeadBackward from './network/tokenHead/tokenHeadBackward.wgsl?raw';
import tokenHeadGradient from './network/tokenHead/tokenHeadGradient.wgsl?raw';
import token from './network/tokenPack/token.wgsl?raw';
import attention from './network/attention/attention.wgsl?raw';
import attentionQuery from './network/attention/attentionQuery.wgsl?raw';
import attentionKey from './network/attention/attentionKey.wgsl?raw';

/** Kernels of a network that writes words: apart from kernels.ts, as only a run with that network loads them. */
export const tokenKernels = {
  tokenPack: { id: 'tokenPack', wgsl: tokenPack },
  tokenEmbed: { id: 'tokenEmbed', wgsl: tokenEmbed, link: [token] },
  tokenEmbedGradient: { id: 'tokenEmbedGradient', wgsl: tokenEmbedGradient, link: [token] },
  distanceGradient: { id: 'distanceGradient', wgsl: distanceGradient, link: [token] },
  gatherRows: { id: 'gatherRows', wgsl: gatherRows },
  scatterRows: { id: 'scatterRows', wgsl: scatterRows, link: [token] },
  tokenHead: { id: 'tokenHead', wgsl: tokenHead },
  tokenHeadBackward: { id: 'tokenHeadBackward', wgsl: tokenHeadBackward },
  tokenHeadGradient: { id: 'tokenHeadGradient', wgsl: tokenHeadGradient },
} as const satisfies Readonly<Record<string, Kernel>>;

/** Attention and its backward pass, for heads of one width: arrays of that size stay in registers. */
const attentionParts = { attention, attentionQuery, attentionKey } as const;
export const attentionWith = (width: number, part: keyof typeof attentionParts): Kernel => ({
  id: part,
  wgsl: attentionParts[part],
  link: [`const WIDTH = ${width}u;`, token],
});
