import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { gunzipSync } from 'node:zlib';
import { wordmark } from '#shared/brand/brand.ts';
import { initWasm, Resvg, type ResvgRenderOptions } from '@resvg/resvg-wasm';

/** A drawing of a stranger may ask for any amount. A page of WebAssembly has 64 KB, and V8's limit is the process's. */
const memoryMaxMb = 256;
setFlagsFromString(`--wasm-max-mem-pages=${memoryMaxMb * 16}`);
// WebAssembly reaches no file and no network, and its thread can be terminated at any time: native code cannot.
await initWasm(readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));

/** A file of the typeface, which has Latin scripts. satori reads WOFF, resvg WOFF2. */
export function fontFile(subset: 'latin' | 'latin-ext', weight: 400 | 700, type: 'woff' | 'woff2'): Buffer {
  const file = `@fontsource/figtree/files/figtree-${subset}-${weight}-normal.${type}`;
  return readFileSync(fileURLToPath(import.meta.resolve(file)));
}

const defaultFontFamily = 'Figtree';
const font = {
  fontBuffers: ([400, 700] as const).flatMap((weight) => [
    fontFile('latin', weight, 'woff2'),
    fontFile('latin-ext', weight, 'woff2'),
  ]),
  ...{ defaultFontFamily, serifFamily: defaultFontFamily, sansSerifFamily: defaultFontFamily },
};

type Fit = NonNullable<ResvgRenderOptions['fitTo']>;
type Size = Record<'width' | 'height', number>;

interface RenderOptions {
  /** Decides the PNG's size by that of the drawing. */
  fit?: (size: Size) => Fit;
  /** The color behind the drawing; without it, the background is transparent. */
  background?: string;
}

/** Renders an SVG as PNG. Throws for an SVG that is not valid. */
export function renderSvg(svg: string, { fit, ...options }: RenderOptions = {}): Uint8Array {
  const drawn = new Resvg(svg, { font, ...options });
  if (fit === undefined) return toPng(drawn);
  const fitTo = fit({ width: drawn.width, height: drawn.height });
  drawn.free();
  return toPng(new Resvg(svg, { font, ...options, fitTo }));
}

function toPng(drawn: InstanceType<typeof Resvg>): Uint8Array {
  const image = drawn.render();
  const png = image.asPng();
  image.free();
  drawn.free();
  return png;
}

interface LogoBox extends Size {
  x: number;
  y: number;
  color: string;
}

/** The wordmark in one color, at the left of this box in pixels. */
export function logoSvg({ x, y, width, height, color }: LogoBox): string {
  return [
    `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${wordmark.viewBox}" preserveAspectRatio="xMinYMid meet" fill="${color}">`,
    `<path d="${wordmark.letters}"/><path d="${wordmark.registered}" opacity="0.75"/>`,
    `<path d="${wordmark.dimensionLine}" fill="none" stroke="${color}" stroke-width="2.6" stroke-linecap="round"/></svg>`,
  ].join('');
}

/** Sharp wherever a logo or portrait is displayed, at three pixels for each of CSS. */
const longerSide = 512;
/** A wordmark's width is displayed. */
const wideSide = 1024;

/** A provider's SVG as PNG, at a size that does not depend on the one it asks for. */
export function renderProviderSvg(bytes: Uint8Array): Uint8Array {
  return renderSvg(svgText(bytes), {
    fit: ({ width, height }) => {
      if (width > 2 * height) return { mode: 'width', value: wideSide };
      return { mode: width > height ? 'width' : 'height', value: longerSide };
    },
  });
}

const textMax = 8 * 1024 * 1024;

/** The text of a file, which may be compressed (SVGZ) and in an older encoding. */
function svgText(bytes: Uint8Array): string {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isCompressed ? gunzipSync(bytes, { maxOutputLength: textMax }) : Buffer.from(bytes);
  const [, encoding = 'utf-8'] =
    /^<\?xml[^>]*\sencoding\s*=\s*["']([\w-]+)/.exec(plain.toString('latin1', 0, 200)) ?? [];
  return new TextDecoder(encoding).decode(plain);
}
