/** The report of an update on WebGPU: so many sections, each of so many words for one replica. */
export const REPORT_SECTIONS = 18;
export const REPORT_WORDS = 16;
/** Reports that may be on their way to the CPU at once. */
export const REPORT_RING = 3;
