import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { escapeHtml } from '#shared/formats/text.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';
import { plateCopy } from '#shared/brand/map.ts';
import { brandColors } from '#shared/brand/colors.ts';
import type { Plate } from '#shared/shareImages/shareImage.ts';

/** In the units of the drawing. Of 16 by 10, like the picture in its place. */
const width = 400;
const height = 250;
const unitsPerMile = width / 72;
const milesPerDegree = 69.05;
const ringMiles = 10;
/** Of the lines: paler than text, darker than the lines of pages. */
const lineShade = { lightness: 0.83, chroma: 0.045 };
/** Without a hue of the provider's own. */
const brandHue = 303;
/** Of a letter, in the larger of both sizes of text. */
const letterWidth = 8;
const lineHeight = 16;

type Position = readonly number[];
interface County {
  name: string;
  center: Position;
}
/** A line with the box around it: west, south, east, north. */
interface Line {
  points: readonly Position[];
  box: readonly [number, number, number, number];
}

let ground: { lines: Line[]; counties: County[] } | null = null;

/**
 * The lines between counties, states and the sea (US Census Bureau, by way of us-atlas), read once in a thread
 * (paintWorker.ts): it takes 0.4 s.
 */
function readGround(): { lines: Line[]; counties: County[] } {
  if (ground !== null) return ground;
  const file = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  const topology: Topology<{ counties: GeometryCollection<{ name: string }> }> = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const { counties } = topology.objects;
  ground = {
    lines: mesh(topology, counties).coordinates.map(toLine),
    counties: feature(topology, counties).features.map(({ properties, geometry }) => {
      const rings =
        geometry.type === 'Polygon'
          ? geometry.coordinates
          : geometry.type === 'MultiPolygon'
            ? geometry.coordinates.flat()
            : [];
      const largest = rings.map(measureRing).toSorted((one, other) => other.area - one.area)[0];
      return { name: properties.name, center: largest?.center ?? [0, 0] };
    }),
  };
  return ground;
}

function toLine(points: readonly Position[]): Line {
  const [longitudes, latitudes] = [points.map(([x = 0]) => x), points.map(([, y = 0]) => y)];
  return {
    points,
    box: [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)],
  };
}

/** Area and center of mass. */
function measureRing(ring: readonly Position[]): { area: number; center: Position } {
  let [doubled, x, y] = [0, 0, 0];
  ring.slice(1).forEach(([x2 = 0, y2 = 0], at) => {
    const [x1 = 0, y1 = 0] = ring[at] ?? [];
    const cross = x1 * y2 - x2 * y1;
    doubled += cross;
    x += (x1 + x2) * cross;
    y += (y1 + y2) * cross;
  });
  return { area: Math.abs(doubled), center: [x / (3 * doubled), y / (3 * doubled)] };
}

type Project = (position: Position) => readonly [x: number, y: number];

function projectAround({ latitude, longitude }: Plate): Project {
  const east = milesPerDegree * Math.cos((latitude * Math.PI) / 180) * unitsPerMile;
  const north = milesPerDegree * unitsPerMile;
  return ([x = 0, y = 0]) => [width / 2 + (x - longitude) * east, height / 2 - (y - latitude) * north];
}

/** The parts of the lines that the frame contains. */
function drawLines(lines: readonly Line[], project: Project): string {
  let path = '';
  for (const { points, box } of lines) {
    const [west, south, east, north] = box;
    if (!touchesFrame(project([west, south]), project([east, north]))) continue;
    let isDown = false;
    points.slice(1).forEach((point, at) => {
      const [from, to] = [project(points[at] ?? point), project(point)];
      const isSeen = touchesFrame(from, to);
      if (isSeen) path += `${isDown ? '' : `M${toText(from)}`}L${toText(to)}`;
      isDown = isSeen;
    });
  }
  return path;
}

function touchesFrame([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): boolean {
  return (
    Math.max(x1, x2) > 0 && Math.min(x1, x2) < width && Math.max(y1, y2) > 0 && Math.min(y1, y2) < height
  );
}

function toText(point: readonly [number, number]): string {
  return point.map((value) => value.toFixed(1)).join(' ');
}

/** Left, top, right, bottom. */
type Box = readonly [number, number, number, number];

/** The names that have room, apart from the ring's and from one another. */
function drawNames(counties: readonly County[], project: Project): string {
  const radius = ringMiles * unitsPerMile;
  const [x, y] = [width / 2, height / 2];
  const taken: Box[] = [
    [x - 12, y - 12, x + radius + 8 + plateCopy.radius(ringMiles).length * letterWidth, y + 12],
    [0, height - 2 * lineHeight, 200, height],
  ];
  return counties
    .map(({ name, center }) => {
      const [middle, base] = project(center);
      const half = (name.length * letterWidth) / 2;
      const box: Box = [middle - half, base - lineHeight, middle + half, base + 4];
      const isFree = taken.every(
        (one) => one[2] < box[0] || one[0] > box[2] || one[3] < box[1] || one[1] > box[3],
      );
      if (!isFree || box[0] < 4 || box[2] > width - 4 || box[1] < 4 || box[3] > height - 4) return '';
      taken.push(box);
      return `<text x="${middle.toFixed(1)}" y="${base.toFixed(1)}" text-anchor="middle">${escapeHtml(name)}</text>`;
    })
    .join('');
}

/** The map cut around a provider: lines between counties with their names, and a ring as its scale. */
export function renderPlate(plate: Plate): string {
  const { latitude, longitude, hue } = plate;
  const { lines, counties } = readGround();
  const project = projectAround(plate);
  const color = (shade: 'tint' | 'muted' | 'primary'): string =>
    hue === null ? brandColors[shade] : hexColor(hueShades[shade], hue);
  const [x, y, radius] = [width / 2, height / 2, ringMiles * unitsPerMile];
  const edge = x + radius;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><style>text{font:15px system-ui,sans-serif;fill:${color('muted')};stroke:${color('tint')};stroke-width:5px;stroke-linejoin:round;paint-order:stroke}@media(min-width:480px){text{font-size:11px}}</style><path d="M0 0h${width}v${height}H0z" fill="${color('tint')}"/><path d="${drawLines(lines, project)}" fill="none" stroke="${hexColor(lineShade, hue ?? brandHue)}" stroke-width="1.25" stroke-linejoin="round"/><g fill="none" stroke="${color('primary')}" stroke-width="1.25"><circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}"/><path d="M${x} ${y - 5}v10m0-5H${edge.toFixed(1)}m0-5v10"/></g>${drawNames(counties, project)}<text x="${(edge + 7).toFixed(1)}" y="${y + 5}">${plateCopy.radius(ringMiles)}</text><text x="12" y="${height - 12}">${plateCopy.coordinates(latitude, longitude)}</text></svg>`;
}
