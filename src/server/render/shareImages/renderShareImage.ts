import satori from 'satori';
import { brand } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';
import { type ShareImage, shareImageSize } from '#shared/shareImages/shareImage.ts';
import { fontFile, logoSvg, renderSvg } from './renderSvg.ts';

const { width, height } = shareImageSize;
const margin = 80;
const textWidth = 780;
const lettersMax = 160;

/** Latin scripts, which the typeface contains. */
const fonts = ([400, 700] as const).flatMap((weight) => [
  { name: 'Figtree', weight, style: 'normal' as const, data: fontFile('latin', weight, 'woff') },
  { name: 'Figtree ext', weight, style: 'normal' as const, data: fontFile('latin-ext', weight, 'woff') },
]);

/** Emoji and letters of other scripts would only be boxes. Control characters do not belong in a name. */
const undrawable =
  /[[\p{Extended_Pictographic}--[©®™]]\p{Emoji_Modifier}\p{Regional_Indicator}\p{C}\uFE0F\u20E3]/gv;
const otherLetters = /[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Inherited}]]/gv;

/** A name that can be drawn: well-formed, on one line, and short enough for a cheap layout. */
export function drawableName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[\s\uFFFD]+/gu, ' ');
  const letters = plain.replaceAll(undrawable, '').replaceAll(otherLetters, '');
  return letters.replaceAll(/ +/g, ' ').trim().slice(0, lettersMax).toWellFormed();
}

const sizeMax = 96;
const sizeMin = 54;
/** The width of an average letter as a fraction of the font size. */
const letterWidth = 0.56;

/**
 * The largest size that fits a name in three lines and its longest word on one. Below the smallest, it is truncated.
 */
function titleSize(title: string): number {
  const longestWord = Math.max(...title.split(' ').map((word) => word.length), 1);
  const forWord = textWidth / (longestWord * letterWidth);
  const forLines = (3 * 0.85 * textWidth) / (title.length * letterWidth);
  return Math.round(Math.max(sizeMin, Math.min(sizeMax, forWord, forLines)));
}

function text(style: Record<string, string | number>, children: string) {
  return { type: 'div', key: null, props: { style, children } };
}

/** The text of the image: what it is, and whose it is. */
function titleSvg({ provider }: ShareImage): Promise<string> {
  const name = provider === null ? '' : drawableName(provider);
  // A name without a letter of the typeface would be a row of boxes.
  const title = /[\p{Script=Latin}\d]/u.test(name) ? name : brand.tagline;
  const heading = text(
    {
      display: 'block',
      fontSize: titleSize(title),
      fontWeight: 700,
      letterSpacing: '-0.025em',
      lineHeight: 1.1,
      lineClamp: 3,
      wordBreak: 'break-word',
    },
    title,
  );
  const above =
    provider === null
      ? []
      : [
          text(
            { fontSize: 34, marginBottom: 20, opacity: 0.85 },
            `${chrome.certifiedProviderOf} ${brand.name}`,
          ),
        ];
  const column = {
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'flex-end',
    width: textWidth,
    height: height - margin,
    marginLeft: margin,
    color: '#ffffff',
    fontFamily: 'Figtree, Figtree ext',
  };
  return satori(
    { type: 'div', key: null, props: { style: column, children: [...above, heading] } },
    { width, height, fonts },
  );
}

const dialAt = { x: 1140, y: 120 };

/** The dial of the landing page's hero, half outside the image: a ring of ticks and two arcs. */
function dial(accent: string): string {
  const { x, y } = dialAt;
  const ring = (radius: number, stroke: string): string =>
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="#ffffff" ${stroke}/>`;
  /** An arc from the bottom, clockwise, by so many degrees. */
  const gain = (radius: number, degrees: number, color: string): string => {
    const turn = (degrees * Math.PI) / 180;
    const end = [x - radius * Math.sin(turn), y + radius * Math.cos(turn)].map((at) => at.toFixed(1));
    return `<path d="M${x} ${y + radius}A${radius} ${radius} 0 0 1 ${end.join(' ')}" fill="none" stroke="${color}" stroke-width="18" stroke-linecap="round"/>`;
  };
  const tick = (2 * Math.PI * 330) / 180;
  return [
    ring(330, `stroke-opacity="0.3" stroke-width="20" stroke-dasharray="2.5 ${(tick - 2.5).toFixed(3)}"`),
    ring(270, 'stroke-opacity="0.14" stroke-width="18"'),
    gain(270, 100, accent),
    ring(214, 'stroke-opacity="0.14" stroke-width="18"'),
    gain(214, 75, '#ffffff'),
  ].join('');
}

/** Draws the image as PNG. Uses a core for about 50 ms, so it runs in a worker (paintWorker.ts). */
export async function renderShareImage(image: ShareImage): Promise<Uint8Array> {
  const { hue } = image;
  const color = (name: 'primary' | 'secondary' | 'accent'): string =>
    hue === null ? brandColors[name] : hexColor(hueShades[name], hue);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<linearGradient id="background" x1="0" y1="0" x2="1" y2="0.6"><stop stop-color="${color('primary')}"/><stop offset="1" stop-color="${color('secondary')}"/></linearGradient>`,
    `<rect width="${width}" height="${height}" fill="url(#background)"/>`,
    dial(color('accent')),
    logoSvg({ x: margin, y: 72, width: 270, height: 70 }),
    await titleSvg(image),
    '</svg>',
  ].join('');
  return renderSvg(svg);
}
