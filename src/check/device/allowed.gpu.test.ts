import { afterAll, expect, test } from 'vitest';
import { must } from '../../core/problem.ts';
import { check, type Case } from '../../gpu/conformance.ts';
import { openGpu, type Gpu } from '../../gpu/device.ts';
import { codeOf, compile } from '../../gpu/kernel.ts';
import { loadCases } from './kernelCases.ts';

/**
 * What a device may do to the built-in functions (src/gpu/accuracy.ts), up for every other argument and down for the rest;
 * nine tenths of it, because the functions below have errors of their own.
 */
const INEXACT = `
fn may_(x : f32) -> f32 { return select(-0.9, 0.9, (bitcast<u32>(x) & 1u) == 0u); }
fn may_exp(x : f32) -> f32 { return exp(x) * (1.0 + may_(x) * (3.0 + 2.0 * min(abs(x), 100.0)) * 1.1920929e-7); }
fn may_log(x : f32) -> f32 {
  let y = log(x);
  return y + may_(x) * select(3.0 * abs(y) * 1.1920929e-7, 4.76837158e-7, x >= 0.5 && x <= 2.0);
}
fn may_tanh(x : f32) -> f32 { return tanh(x) + may_(x) * 1.0e-5; }
fn may_sqrt(x : f32) -> f32 { return sqrt(x) * (1.0 + may_(x) * 4.5 * 1.1920929e-7); }
`;
// the few that take a vector stay exact
const CALLS = /(?<!fn )\b(exp|log|tanh|sqrt)\((?!min\(vec2f)/g;

const gpu: Gpu = must(await openGpu());
const { device } = gpu;
const shaderOf = device.createShaderModule.bind(device);
device.createShaderModule = (described) => {
  const code = described.code.replace(CALLS, 'may_$1(');
  return shaderOf({ ...described, code: code === described.code ? code : code + INEXACT });
};
afterAll(() => gpu.lose());

test('a device whose exp, log, tanh and sqrt are as inexact as WGSL allows is right in the last case of every kernel', async () => {
  const last = new Map<string, Case>();
  for (const { cases } of await loadCases()) {
    const calling = cases.filter(({ kernel }) => codeOf(kernel).search(CALLS) >= 0);
    // the last case of each kernel that calls one of them: they grow from first to last. Those of a file that comes later are the
    // products of rows of words, whose activation is a ReLU, which calls none
    const own = new Map(calling.filter(({ kernel }) => !last.has(kernel.id)).map((one) => [one.kernel.id, one]));
    for (const [id, one] of own) last.set(id, one);
  }
  const chosen = [...last.values()];
  await Promise.all(chosen.map(({ kernel }) => compile(gpu, kernel))); // together, on all cores
  const wrong: string[] = [];
  for (const one of chosen) {
    const found = await check(gpu, one);
    if (found) wrong.push(found);
  }
  expect(wrong).toEqual([]);
  expect(chosen.length).toBeGreaterThan(70);
});
