// Draws pole maps and frequency responses.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { powerLabels, short, tickLabels } from "./numbers";

export interface Motion {
  eigenvalue: [number, number];
  count: number;
  frequency: number;
  damping: number | null;
  states: Record<string, number>;
}

export interface Response {
  omega: Float64Array;
  magnitude: Float64Array;
  phase: Float64Array;
}

const WIDTH = 320, HEIGHT = 226, LEFT = 62, BOTTOM = 40, ROOM = 10;

/** The eigenvalues in the complex plane, on axes whose logarithms show slow and fast ones alike. */
export function Poles({ motions }: { motions: Motion[] }) {
  const points = motions.flatMap(({ eigenvalue: [re, im], states }) => {
    const names = Object.keys(states).join(", ");
    return im === 0 ? [{ re, im, names }] : [{ re, im, names }, { re, im: -im, names }];
  });
  const sizes = points.flatMap(({ re, im }) => [Math.abs(re), Math.abs(im)]).filter((x) => x > 0);
  const least = sizes.length > 0 ? Math.min(...sizes) : 1, most = sizes.length > 0 ? Math.max(...sizes) : 1;
  const unit = Math.max(least, most / 1e4), warp = (x: number) => Math.sign(x) * Math.log10(1 + Math.abs(x) / unit);
  const far = Math.max(warp(most), 0.5) * 1.1;
  const x = (re: number) => LEFT + ((warp(re) + far) / (2 * far)) * (WIDTH - LEFT - ROOM), y = (im: number) => ROOM + ((far - warp(im)) / (2 * far)) * (HEIGHT - BOTTOM - ROOM);
  const ticks = [-most, -most / 30, 0, most / 30, most].filter((tick) => tick === 0 || most / unit > 30 || Math.abs(tick) === most);
  return (
    <svg class="picture" width={WIDTH} height={HEIGHT} role="img" aria-label="pole map" data-test="poles">
      <rect x={LEFT} y={ROOM} width={(WIDTH - LEFT - ROOM) / 2} height={HEIGHT - BOTTOM - ROOM} class="stable" />
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={x(tick)} x2={x(tick)} y1={ROOM} y2={HEIGHT - BOTTOM} /><line class="grid" x1={LEFT} x2={WIDTH - ROOM} y1={y(tick)} y2={y(tick)} />
          <text x={x(tick)} y={HEIGHT - BOTTOM + 16} text-anchor="middle">{short(tick, 2)}</text><text x={LEFT - 5} y={y(tick) + 4} text-anchor="end">{short(tick, 2)}</text>
        </g>
      ))}
      <text x={(LEFT + WIDTH - ROOM) / 2} y={HEIGHT - 6} text-anchor="middle">real part in 1/s</text>
      <text transform={`translate(12 ${(ROOM + HEIGHT - BOTTOM) / 2}) rotate(-90)`} text-anchor="middle">imaginary part in 1/s</text>
      {points.map(({ re, im, names }, k) => (
        <g key={k} class={re > 1e-9 * most ? "pole unstable" : "pole"} transform={`translate(${x(re)} ${y(im)})`}>
          <title>{`${short(re)} ${im < 0 ? "-" : "+"} ${short(Math.abs(im))}i\n${names}`}</title>
          <path d="M-4-4 4 4M-4 4 4-4" />
        </g>
      ))}
    </svg>
  );
}

export function Bode({ response }: { response: Response }) {
  return (
    <div data-test="bode">
      <Curve label="magnitude in dB" x={response.omega} y={response.magnitude} />
      <Curve label="phase in degrees" x={response.omega} y={response.phase} />
    </div>
  );
}

/** A curve over frequency, on a logarithmic axis. */
function Curve({ label, x, y }: { label: string; x: Float64Array; y: Float64Array }) {
  const home = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!home.current) return undefined;
    const style = getComputedStyle(document.documentElement), color = (name: string) => style.getPropertyValue(name).trim();
    const axis: uPlot.Axis = { stroke: color("--faint"), grid: { stroke: color("--grid"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif", labelSize: 16, labelFont: "11px system-ui, sans-serif" };
    const chart = new uPlot({
      width: WIDTH + 60, height: 165, padding: [8, 16, 0, 0], legend: { show: false }, scales: { x: { time: false, distr: 3 } },
      axes: [{ ...axis, label: "frequency in rad/s", size: 24, values: (_, ticks) => powerLabels(ticks) }, { ...axis, values: (_, ticks, __, ___, step) => tickLabels(ticks, step), label, size: 44 }],
      series: [{ label: "rad/s" }, { label, stroke: color("--accent"), width: 1.6 }],
    }, [x, Float64Array.from(y)] as uPlot.AlignedData, home.current);
    return () => chart.destroy();
  }, [x, y, label]);
  return <div ref={home} />;
}
