import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A second press of Ctrl+C this much later is meant: npm and the terminal both pass on the first one. */
const AGAIN_MS = 1000;

/** How often a process that npm started looks whether npm is still there. */
const LOOK_MS = 500;

/**
 * Runs a program in the foreground and resolves with its exit code, 128 + n where signal n ended it. Signals reach it: it
 * may end in its own time, and a second one ends it at once. It hears of the end of this process by its channel.
 */
export function attend(program, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    });
    let first = null;
    const pass = (signal) => {
      const now = performance.now();
      first ??= now;
      child.kill(now - first > AGAIN_MS ? 'SIGKILL' : signal);
    };
    for (const signal of SIGNALS) process.on(signal, pass);
    const forget = process.env.npm_lifecycle_event ? onceAlone(() => pass('SIGTERM')) : () => {};
    const stop = () => {
      forget();
      for (const signal of SIGNALS) process.removeListener(signal, pass);
    };
    child.once('error', (error) => {
      stop();
      reject(error);
    });
    child.once('close', (code, signal) => {
      stop();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/**
 * Calls back once when the npm that started this process is gone. It passes a signal to its shell, which dies of it and
 * tells nobody: then this process has another parent. When npm itself is killed its shell lives on.
 * @returns ends the watch
 */
function onceAlone(act) {
  const parent = process.ppid;
  let npm = parent;
  execFile('ps', ['-o', 'ppid=,args=', '-p', `${parent}`], (error, text) => {
    const [, above, command] = /^\s*(\d+)\s+(.*)/.exec(text) ?? [];
    if (!error && command && !/\bnpm\b/.test(command.split(' ', 2).join(' '))) npm = Number(above);
  });
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(timer);
    act();
  }, LOOK_MS);
  return () => clearInterval(timer);
}

/** True if there is a process of this number. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
