/** Where packages of peers keep the files that they load by their address. */
export const peerFolders = {
  'tfjs-wasm': 'node_modules/@tensorflow/tfjs-backend-wasm/dist',
  ort: 'node_modules/onnxruntime-web/dist',
} as const;
