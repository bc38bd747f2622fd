import { readFileSync } from 'node:fs';

/** WGSL without comments, indentation, columns and spaces around operators and braces. Lines stay. */
export function lightened(text: string): string {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/\/\/.*$/, '')
      .replace(/ +/g, ' ')
      .replace(/ ?([{}]) ?/g, '$1')
      .replace(/ ([+*|&]?=|[=!<>]=|&&|\|\||<<|>>|[+*/<>]) /g, '$1')
      .trim(),
  );
  return lines.filter(Boolean).join('\n');
}

/** In a build it travels so; the files themselves stay as they are for people. */
export const lightWgsl = {
  name: 'light-wgsl',
  apply: 'build' as const,
  enforce: 'pre' as const,
  load(id: string): string | undefined {
    if (!id.endsWith('.wgsl?raw')) return undefined;
    return `export default ${JSON.stringify(lightened(readFileSync(id.slice(0, -'?raw'.length), 'utf8')))};`;
  },
};
