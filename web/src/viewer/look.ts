/* Colours of the page and of robots, and canvases that fit it. */

type Colour = [number, number, number];
type Hue = [Colour, Colour];

/* One pair of colours a robot: early and late. The same as in stressfield.report.figures.run_picture. */
const HUES: { light: Hue[]; dark: Hue[] } = {
  light: [[[120, 185, 235], [15, 50, 130]], [[245, 185, 110], [165, 70, 0]], [[205, 165, 235], [95, 30, 140]], [[130, 210, 190], [0, 95, 80]]],
  dark: [[[150, 205, 250], [70, 110, 245]], [[250, 210, 150], [240, 135, 40]], [[225, 195, 250], [165, 95, 225]], [[170, 235, 215], [40, 175, 145]]],
};

export interface Look {
  card: string; ink: string; soft: string; line: string; faint: string; fail: string; pass: string; accent: string; lidar: string; dark: boolean;
  /* The colour of a robot, by its place, at a share of the run. */
  hue: (place: number, share: number) => string;
}

const kept = new Map<boolean, Look>();
const scheme = matchMedia("(prefers-color-scheme: dark)");

/* Read once for light and once for dark: a player asks for it at every picture. */
export function currentLook(): Look {
  const found = kept.get(scheme.matches) ?? makeLook(scheme.matches);
  kept.set(scheme.matches, found);
  return found;
}

function makeLook(dark: boolean): Look {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  const hues = dark ? HUES.dark : HUES.light;
  const hue = (place: number, share: number) => {
    const [early, late] = hues[place % hues.length] as Hue;
    return "rgb(" + early.map((a, k) => Math.round(a + ((late[k] as number) - a) * share)).join(",") + ")";
  };
  return {
    card: of("--card"), ink: of("--ink"), soft: of("--soft"), line: of("--line"), faint: of("--faint"), fail: of("--fail"),
    pass: of("--pass"), accent: of("--accent"), lidar: of("--lidar"), dark, hue,
  };
}

export type Pen = CanvasRenderingContext2D;

/* The canvas in the width that it has and the height that is wanted, in whole pixels of the screen. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number): Pen {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const wide = Math.round(width * ratio), high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.style.height = height + "px";
    canvas.width = wide;
    canvas.height = high;
  }
  const pen = canvas.getContext("2d") as Pen;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}
