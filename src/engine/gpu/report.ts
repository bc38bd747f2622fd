import {
  REPORT_LAYOUT,
  reportSections,
  type Names,
  type Report,
  type ReportSection,
  type Section,
} from '../../core/report.ts';

export { REPORT_SECTIONS, REPORT_WORDS } from '../../core/report.ts';

/** Place of every section. */
export const REPORT = Object.fromEntries(reportSections.map((name, k) => [name, k])) as Readonly<
  Record<ReportSection, number>
>;
/** Place of a named word in its section. */
export function wordOf<K extends ReportSection>(section: K, name: Names<K>): number {
  return (REPORT_LAYOUT[section].names as readonly string[]).indexOf(name);
}

/**
 * The numbers of replica s.
 * @param bytes the report
 * @param size bytes of a section
 */
export function readReport(bytes: ArrayBuffer, size: number, s: number): Report {
  const read = (section: ReportSection): Record<string, number> => {
    const { words, names, u32 }: Section = REPORT_LAYOUT[section];
    const Words = u32 ? Uint32Array : Float32Array;
    const row = new Words(bytes, REPORT[section] * size + 4 * words * s, words);
    return Object.fromEntries(names.map((name, k) => [name, row[k]!]));
  };
  return Object.fromEntries(reportSections.map((section) => [section, read(section)])) as Report;
}
