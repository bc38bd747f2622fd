import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository, whatever the current folder is. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What a program ends with that took too long. */
export const LATE = 124;

/**
 * Runs a program in the repository and resolves to { code, output }; output holds stdout and stderr together.
 * With `show` the output also appears at once. After `timeoutMs` the whole process group is ended, code `LATE`.
 */
export function run(program, args, { show = true, timeoutMs = 0, env = {}, shell = false } = {}) {
  return new Promise((done) => {
    const posix = process.platform !== 'win32';
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: posix,
      shell,
    });
    let output = '';
    let late = false;
    for (const [stream, target] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
        if (show) target.write(text);
      });
    }
    const end = (signal) => {
      try {
        if (posix) process.kill(-(child.pid ?? NaN), signal);
        else child.kill(signal);
      } catch {
        // The group has already ended.
      }
    };
    const timer =
      timeoutMs > 0
        ? setTimeout(() => {
            late = true;
            end('SIGTERM');
            setTimeout(() => end('SIGKILL'), 5000).unref();
          }, timeoutMs)
        : null;
    const stop = () => end('SIGTERM');
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    const finish = (code) => {
      if (timer) clearTimeout(timer);
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      if (late) output += `\nEnded after ${Math.round(timeoutMs / 1000)} s, the time this step may take.\n`;
      done({ code: late ? LATE : code, output });
    };
    child.once('error', (error) => {
      output += `${error.message}\n`;
      finish(127);
    });
    child.once('close', (code) => finish(code ?? 1));
  });
}

/** Runs npm: the one that started this script, else the one on the path. */
export function npm(args, options) {
  const own = process.env.npm_execpath;
  if (own && /npm-cli\.[cm]?js$/.test(own)) return run(process.execPath, [own, ...args], options);
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Runs a tool of node_modules by the file its package names, without a shell. */
export async function tool(name, args, options) {
  const { readFile } = await import('node:fs/promises');
  const home = join(ROOT, 'node_modules', PACKAGE_OF[name] ?? name);
  const { bin } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  const file = typeof bin === 'string' ? bin : bin[name];
  return run(process.execPath, [join(home, file), ...args], options);
}

/** Tools whose package has another name. */
const PACKAGE_OF = { tsc: 'typescript', playwright: '@playwright/test' };
