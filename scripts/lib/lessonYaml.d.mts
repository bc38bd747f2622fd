import type { Plugin } from 'vite';

export function lessonModule(text: string, isAbout: boolean): string;
export const lessonYaml: Plugin;
