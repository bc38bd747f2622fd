import * as ort from 'onnxruntime-web/webgpu';
import type { Contender } from '../types.ts';
import { cores, peerFiles } from './files.ts';
import { productModel } from './onnx.ts';

/** onnxruntime-web runs graphs but does not train, so it takes part in products only. */
export async function ortProduct(
  provider: 'webgpu' | 'wasm',
  m: number,
  k: number,
  n: number,
  A: Float32Array,
  B: Float32Array,
): Promise<Contender> {
  ort.env.wasm.wasmPaths = peerFiles('ort');
  ort.env.wasm.numThreads = cores();
  ort.env.logLevel = 'error';
  const onGpu = provider === 'webgpu';
  const session = await ort.InferenceSession.create(productModel(m, k, n), {
    executionProviders: [provider],
    ...(onGpu ? { preferredOutputLocation: 'gpu-buffer' as const } : {}),
  });
  const feeds = onGpu
    ? { A: await upload(A, [m, k]), B: await upload(B, [k, n]) }
    : { A: new ort.Tensor('float32', A, [m, k]), B: new ort.Tensor('float32', B, [k, n]) };
  const product = async (): Promise<ort.Tensor> => (await session.run(feeds))['Y'] as ort.Tensor;
  return {
    name: `ort-${provider}`,
    async run(times) {
      for (let j = 0; j < times; j++) (await product()).dispose();
      if (onGpu) await (await deviceOf()).queue.onSubmittedWorkDone();
    },
    async check() {
      const Y = await product();
      const values = (await Y.getData(true)) as Float32Array;
      return values.slice();
    },
    dispose: () => session.release(),
  };
}

const deviceOf = async (): Promise<GPUDevice> => (await ort.env.webgpu.device) as GPUDevice;

/** A tensor that already lies on the device, so that a run copies nothing. */
async function upload(values: Float32Array, dims: readonly number[]): Promise<ort.Tensor> {
  const device = await deviceOf();
  const buffer = device.createBuffer({ size: Math.max(16, values.byteLength), usage: 0x80 | 0x04 | 0x08 });
  device.queue.writeBuffer(buffer, 0, values as Float32Array<ArrayBuffer>);
  return ort.Tensor.fromGpuBuffer(buffer, { dataType: 'float32', dims: [...dims] });
}
