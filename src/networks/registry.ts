import { mlp } from './dense/mlp.ts';
import { tabular } from './dense/tabular.ts';
import { conv } from './conv/conv.ts';
import { gru } from './gru/gru.ts';
import { gtrxl } from './gtrxl/gtrxl.ts';
import { memo } from './memo/memo.ts';
import { residual } from './residual/residual.ts';
import { transformer } from './transformer/record.ts';
import type { NetworkModule } from './types.ts';

/** Order here is the order in menus; the first is the usual one. */
export const networks: readonly NetworkModule[] = [mlp, conv, gru, gtrxl, memo, transformer, residual, tabular];
