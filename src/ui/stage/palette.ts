/** Colors of the stage; one set per theme. `surface` is the middle of the signed color tables. */
export type Palette = {
  readonly surface: string;
  readonly wall: string;
  readonly wallLight: string;
  readonly wallDark: string;
  readonly grid: string;
  readonly ice: string;
  readonly iceLine: string;
  readonly agent: string;
  readonly agentEdge: string;
  readonly goal: string;
  readonly onGoal: string;
  readonly lava: string;
  readonly onLava: string;
  readonly hole: string;
  readonly holeLine: string;
  readonly bonus: string;
  readonly quiet: string;
  readonly box: string;
  readonly boxDark: string;
  readonly room: string;
  readonly ink: string;
  /** red, blue, green, yellow; each also carries one to four notches */
  readonly keys: readonly [string, string, string, string];
};

export const PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    surface: '#ffffff',
    wall: '#5d6675',
    wallLight: '#788294',
    wallDark: '#454d5a',
    grid: '#e0e4ea',
    ice: '#dcf0fb',
    iceLine: '#84bfdf',
    agent: '#0b62c4',
    agentEdge: '#ffffff',
    goal: '#1f8554',
    onGoal: '#ffffff',
    lava: '#cf4320',
    onLava: '#ffd9a8',
    hole: '#2b303a',
    holeLine: '#77808f',
    bonus: '#b98a00',
    quiet: '#8b94a3',
    box: '#c08a4d',
    boxDark: '#6f4a1f',
    room: '#f4f6fa',
    ink: '#1a1d23',
    keys: ['#b4092a', '#1f44ab', '#128c74', '#b98a00'],
  },
  dark: {
    surface: '#1c1f25',
    wall: '#5a6475',
    wallLight: '#74809363',
    wallDark: '#434b58',
    grid: '#2c313a',
    ice: '#1b3747',
    iceLine: '#3f7391',
    agent: '#6cb2ff',
    agentEdge: '#0c0e12',
    goal: '#4cc38a',
    onGoal: '#0d1a13',
    lava: '#e2603c',
    onLava: '#4a1404',
    hole: '#050608',
    holeLine: '#5b6472',
    bonus: '#f0c84b',
    quiet: '#7f8998',
    box: '#b98550',
    boxDark: '#f3d2a8',
    room: '#262b34',
    ink: '#e8eaee',
    keys: ['#e46770', '#7c95d6', '#25e5c3', '#f1c94a'],
  },
};

/** Names of the key colors as scenes say them: index 0 … 3. */
export const COLOR_NAMES = ['red', 'blue', 'green', 'yellow'] as const;

/** One letter per key color: what a lock says where there is no room for notches. */
export const COLOR_LETTERS = ['R', 'B', 'G', 'Y'] as const;
