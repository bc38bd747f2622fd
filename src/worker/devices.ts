import { fail, ok, type Result } from '../core/problem.ts';
import { openGpu, type Gpu } from '../gpu/device.ts';
import type { MakeBackend } from '../train/backend.ts';
import { makeCpuBackend } from '../train/cpu/cpuBackend.ts';
import { gpuBackendOn } from '../train/gpu/gpuBackend.ts';
import type { Plan } from '../train/plan.ts';
import type { DeviceReport } from './protocol.ts';
